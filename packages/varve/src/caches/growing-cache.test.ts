import { expect, test } from 'vitest'
import { growingCache } from './growing-cache.ts'

test('over its most, the one that was used longest ago goes, and is told', () => {
  const gone: [string, string][] = []
  const cache = growingCache<string, number>(3, { dispose: (_value, key, reason) => void gone.push([key, reason]) })
  for (const [place, key] of ['a', 'b', 'c'].entries()) cache.set(key, place)
  expect(cache.get('a')).toBe(0)
  cache.set('d', 3)
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd'])
  expect(gone).toEqual([['b', 'evict']])
})
