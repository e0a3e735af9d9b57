/** The roles of clients, and which role includes which. */

/** Roles, weakest first; a stronger role may do all that a weaker one may. */
export const ROLES = ['viewer', 'operator', 'supervisor'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` may do what `needed` may. */
export function roleAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
