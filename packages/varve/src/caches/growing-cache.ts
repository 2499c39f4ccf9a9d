import { LRUCache } from 'lru-cache'

/**
 * A cache of at most so many entries, of which the one that was used longest ago goes first. Its memory grows with
 * what it holds: for a `max`, lru-cache makes room for all of them at once, for 16,384 in 2 CPU-ms, and most programs
 * use a few.
 */
export function growingCache<Key extends {}, Value extends {}>(
  most: number,
  options: Pick<LRUCache.Options<Key, Value, unknown>, 'dispose'> & { readonly ttl?: number } = {},
): LRUCache<Key, Value> {
  return new LRUCache({ ...options, maxSize: most, sizeCalculation: () => 1 })
}
