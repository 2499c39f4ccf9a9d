import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ImportFailed } from '../errors/import-failed.ts'
import { type JsonItem, jsonValues, maxDepth } from './json-values.ts'

async function* chunked(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function items(text: string, maxChars?: number, size = 7): Promise<readonly JsonItem[]> {
  const all: JsonItem[] = []
  for await (const item of jsonValues({ file: 'x.json', bytes: chunked(text, size) }, maxChars)) all.push(item)
  return all
}

async function values(text: string, size?: number): Promise<readonly unknown[]> {
  return (await items(text, undefined, size)).map((item) => (item.kind === 'value' ? item.value : item.kind))
}

describe('the elements of a list', () => {
  it('are what JSON.parse gives, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ stringUnit: 'binary' })), fc.integer({ min: 1, max: 40 }), async (list, size) => {
        const json = JSON.stringify(list, null, size % 3)
        expect(await values(json, size)).toEqual(JSON.parse(json))
      }),
    )
  })

  it('are none of an empty list, and the object itself of an object', async () => {
    expect(await values('[]')).toEqual([])
    expect(await values(' {"a":[{}],"__proto__":1} ')).toEqual([JSON.parse('{"a":[{}],"__proto__":1}')])
  })

  it('of more than the bound are dropped and told, and the next ones are read', async () => {
    const long = 'x'.repeat(5_000)
    const many = Object.fromEntries(Array.from({ length: 300 }, (_none, index) => [`k${index}`, index]))
    const list = [{ a: 1 }, { [long]: 1 }, [[long]], long, many, { deep: [{ text: long, more: [1, 'two', null, true] }] }, 'end', 7, null]
    const kinds = (await items(JSON.stringify(list), 1_000)).map((item) => (item.kind === 'value' ? item.value : item.kind))
    expect(kinds).toEqual([{ a: 1 }, 'too large', 'too large', 'too large', 'too large', 'too large', 'end', 7, null])
  })

  it('a single object over the bound is told too', async () => {
    expect(await items(JSON.stringify({ a: 'x'.repeat(500) }), 100)).toEqual([{ kind: 'too large' }])
  })
})

describe('what is no list of elements', () => {
  it.each([
    ['broken off', '[{"a":1},{"b"', /breaks off/u],
    ['broken off within a number', '[1, 22', /breaks off/u],
    ['nothing', ' ', /breaks off/u],
    ['a number', '42', /neither a list nor an object/u],
    ['not JSON', '[1, two, three, four, five]', /not valid JSON/u],
    ['followed by something', '[1] 2', /not valid JSON/u],
    ['too deep', '['.repeat(maxDepth + 1), /nested deeper than 512/u],
  ])('%s fails with what it is', async (_name, text, message) => {
    await expect(items(text)).rejects.toThrow(ImportFailed)
    await expect(items(text)).rejects.toThrow(message)
  })

  it('gives the elements before the break first', async () => {
    const seen: unknown[] = []
    const reading = (async () => {
      for await (const item of jsonValues({ file: 'x.json', bytes: chunked('[{"a":1},[2],{"b"', 3) })) seen.push(item)
    })()
    await expect(reading).rejects.toThrow(/breaks off/u)
    expect(seen).toEqual([
      { kind: 'value', value: { a: 1 } },
      { kind: 'value', value: [2] },
    ])
  })
})
