/** Bounded memory of peers: a map whose entries stand in the order in which they were set last, and whose first makes room. */

/** Set `key`, as the newest of at most `most`. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  if (map.size >= most) {
    for (const oldest of map.keys()) {
      map.delete(oldest);
      break;
    }
  }
  map.set(key, value);
}
