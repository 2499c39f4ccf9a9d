import { LRUCache } from 'lru-cache'

/**
 * Makes a cache of at most so many entries; the least recently used entry goes first.
 *
 * Its memory grows with its content. With a `max`, lru-cache makes room for all entries at once: 2 CPU-ms for 16,384,
 * and most programs use a few.
 */
export function growingCache<Key extends {}, Value extends {}>(
  most: number,
  options: Pick<LRUCache.Options<Key, Value, unknown>, 'dispose'> & { readonly ttl?: number } = {},
): LRUCache<Key, Value> {
  return new LRUCache({ ...options, maxSize: most, sizeCalculation: () => 1 })
}
