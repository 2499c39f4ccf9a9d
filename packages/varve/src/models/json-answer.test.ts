import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { objectIn, strictObjectIn } from './json-answer.ts'
import { runs } from '../testing/runs.ts'

describe('what is found', () => {
  test.each([
    ['as it is', '{"a": 1}', { a: 1 }],
    ['in a fence', '```json\n{"a": {"b": "```"}}\n```', { a: { b: '```' } }],
    ['in a fence among words', 'Here you are:\n\n```\n{"a": 1}\n```\n\nAnything else?', { a: 1 }],
    ['among words with braces', 'In {curly} braces { as asked }: {"a": "{"} — {done}', { a: '{' }],
    ['the largest of several', 'First {"draft": 1}, then {"a": [1, 2, {"b": 3}]}, or {"c": 0}', { a: [1, 2, { b: 3 }] }],
    ['after thoughts that hold a larger one', '<think>maybe {"a": "something that is much longer"}</think>\n{"a": 2}', { a: 2 }],
    ['an empty one as the whole answer', '```json\n{}\n```', {}],
    ['trailing commas and single quotes', "{'a': [1, 2,], 'b': 'it’s',}", { a: [1, 2], b: 'it’s' }],
    ['typographic quotes', '{“a”: “b”}', { a: 'b' }],
    ['bare keys and Python’s words', '{a: True, "b": None}', { a: true, b: null }],
    ['comments', '{"a": 1, // one\n "b": 2}', { a: 1, b: 2 }],
    ['line breaks within strings', '{"a": "one\ntwo"}', { a: 'one\ntwo' }],
    ['quotes that are not escaped, and words after', '{"a": "she said "no" twice"}\nI hope this helps!', { a: 'she said "no" twice' }],
    ['cut in a string', '{"a": [{"b": "one"}, {"b": "tw', { a: [{ b: 'one' }, { b: 'tw' }] }],
    ['cut after a comma', 'Sure: {"a": [1, 2,', { a: [1, 2] }],
  ])('%s', (_, answer, object) => {
    expect(objectIn(answer)).toEqual(object)
  })

  test('any object comes back from a fence, from prose and from both', () => {
    const key = fc.string({ minLength: 1, maxLength: 40 })
    const object = fc.dictionary(
      key.filter((name) => name !== '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
      { minKeys: 1, noNullPrototype: true },
    )
    fc.assert(
      fc.property(object, fc.constantFrom('', 'Here it is: ', 'With {braces} and "quotes:\n'), fc.boolean(), (value, before, isFenced) => {
        const json = JSON.stringify(value)
        const text = isFenced ? `${before}\`\`\`json\n${json}\n\`\`\`\nThat’s {all}.` : `${before}${json}`
        expect(objectIn(text)).toEqual(JSON.parse(json))
      }),
    )
  })
})

describe('what is not', () => {
  test.each([
    ['prose', 'I could not find anything in this conversation.'],
    ['prose with braces', 'Use {placeholder} or { name: of the person } or {"quoted"} here, and {’tis} well.'],
    ['code', 'useEffect(() => {}, []); const f = () => { return 1 }'],
    ['an empty object among words', 'I would answer {} here.'],
    ['nothing', ''],
    ['a list', '[{"a": 1}]'],
    ['a list in a fence', '```json\n[{"a": 1}]\n```'],
    ['a string', '"{\\"a\\": 1}"'],
    ['null', 'null'],
    ['a brace', '{'],
    ['a broken object too long to repair', `{"a": "${'x'.repeat(17_000)}`],
    ['nested deeper than the stack', `{"a": ${'['.repeat(16_000)}`],
  ])('%s', (_, answer) => {
    expect(objectIn(answer)).toBeUndefined()
  })

  test('no text of words, braces and marks is taken for an object', () => {
    const word = fc.constantFrom('the', 'note', '{', '}', '{', '}', ',', '.', ':', '[', ']', '(', 'a', '7', '\n', '-', '`')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const prose = `Well ${words.join(' ')}`
        // Some models write an object with a bare key before a list or a number.
        fc.pre(!/\{\s*[a-z]+\s*:\s*[[{\d-]/.test(prose))
        expect(objectIn(prose)).toBeUndefined()
      }),
      { numRuns: runs(500) },
    )
  })

  test('wherever an answer is cut, the outcome is an object or nothing', () => {
    const whole = 'Sure.\n```json\n{"a": [{"text": "one \\"two\\" {three}", "from": [1, 2]}], "b": {"c": null}}\n```'
    fc.assert(
      fc.property(fc.nat(whole.length), fc.string(), (at, noise) => {
        const object = objectIn(whole.slice(0, at) + noise)
        expect(object === undefined || (typeof object === 'object' && !Array.isArray(object))).toBe(true)
      }),
    )
  })

  test('strictly, neither fences nor words nor faults', () => {
    expect(strictObjectIn(' {"a": 1}\n')).toEqual({ a: 1 })
    for (const text of ['```json\n{"a": 1}\n```', 'Sure: {"a": 1}', "{'a': 1}", '[1]', '']) expect(strictObjectIn(text)).toBeUndefined()
  })
})
