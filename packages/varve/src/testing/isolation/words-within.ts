/** The most values that are looked at in one answer, and the most items read of one stream. */
const bound = { values: 200_000, items: 1_000 }

/**
 * Returns all text within an answer: keys, strings, errors with their causes, maps, sets, buffers read as UTF-8, and the
 * items of an async iterable.
 */
export async function wordsWithin(answer: unknown): Promise<string> {
  const words: string[] = []
  const met = new Set<object>()
  const waiting: unknown[] = [answer]
  for (let value = 0; value < bound.values && waiting.length > 0; value += 1) {
    const one = waiting.pop()
    if (typeof one === 'string') words.push(one)
    else if (typeof one === 'object' && one !== null && !met.has(one)) {
      met.add(one)
      waiting.push(...(await partsOf(one)))
    }
  }
  return words.join('\n')
}

async function partsOf(of: object): Promise<readonly unknown[]> {
  if (of instanceof Uint8Array) return [new TextDecoder().decode(of)]
  if (of instanceof Map) return [...of.keys(), ...of.values()]
  if (of instanceof Set) return [...of]
  if (of instanceof Error) return [of.name, of.message, of.cause, ...Object.entries(of).flat()]
  if (isStream(of)) return itemsOf(of)
  return Object.entries(of).flat()
}

/** True for a stream; a list that can also be read as one is looked at as a list. */
function isStream(of: object): of is AsyncIterable<unknown> {
  return Symbol.asyncIterator in of && !Array.isArray(of)
}

async function itemsOf(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const items: unknown[] = []
  for await (const item of stream) {
    items.push(item)
    if (items.length === bound.items) break
  }
  return items
}
