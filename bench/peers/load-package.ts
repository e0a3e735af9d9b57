/**
 * Loads the package of a peer, which may be absent. The name is no literal and a peer states what it uses of the package, so a
 * checkout without the package compiles.
 */

/** A peer that is not installed. */
export class PackageAbsent extends Error {}

/** @throws PackageAbsent where `name` is not installed */
export async function loadPackage<T>(name: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') {
      throw new PackageAbsent(`${name} is not installed`);
    }
    throw error;
  }
}
