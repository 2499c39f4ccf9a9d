import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { SettingsFile } from './json-file.ts'

const path = ['servers', 'varve']
const without = (text: string): string => new SettingsFile(text).without(path).whole

test.each([
  [
    'a comment behind the one before and one behind the entry',
    '{\n  "servers": {\n    "a": 1, // token\n    "varve": {}, // mine\n    "b": 2\n  }\n}\n',
    '{\n  "servers": {\n    "a": 1, // token\n    // mine\n    "b": 2\n  }\n}\n',
  ],
  [
    'a comment above the entry',
    '{\n  "servers": {\n    "a": 1,\n    // memory\n    "varve": {},\n    "b": 2\n  }\n}\n',
    '{\n  "servers": {\n    "a": 1,\n    // memory\n    "b": 2\n  }\n}\n',
  ],
  [
    'a comment before the last',
    '{\n  "servers": {\n    "a": 1, // token, since May\n    "varve": {}\n  }\n}\n',
    '{\n  "servers": {\n    "a": 1 // token, since May\n  }\n}\n',
  ],
  [
    'a comment in front of all',
    '{\n  "servers": {\n    // mine\n    "varve": {} /* old */, /* new */ "b": 2\n  }\n}\n',
    '{\n  "servers": {\n    // mine\n    /* old */ /* new */ "b": 2\n  }\n}\n',
  ],
  ['a comment alone with the entry', '{ "servers": { // none\n  "varve": {} } }', '{ "servers": { // none\n  } }'],
  ['a comment before the brace', '{ "servers": /* mine */ { "varve": {} }, "x": 1 }', '{ "servers": /* mine */ { }, "x": 1 }'],
  ['no comment', '{\n  "x": "// no, comment",\n  "servers": { "varve": {} }\n}\n', '{\n  "x": "// no, comment"\n}\n'],
])('with %s, the entry alone is taken out', (_name, text, left) => {
  expect(without(text)).toBe(left)
})

const blank = fc.constantFrom('', ' ', '\n', '\r\n    ', '\t')
const comment = fc.tuple(fc.constantFrom('', 'a', 'a, b', '"x": {', '/*', '//'), fc.boolean()).map(([words, isLine]) =>
  // A block ends at the first end.
  isLine ? `//${words}\n` : `/*${words}*/`,
)
const gap = fc.tuple(blank, fc.option(comment, { nil: '' }), blank).map((texts) => texts.join(''))
const neighbours = fc.uniqueArray(fc.constantFrom('"a": 1', '"b": "//, no comment"', '"c": { "varve": [1, 2] }'), { maxLength: 2 })

test('any settings: every sign that is not of the entry stays, but for a comma and blanks', () => {
  const gaps = fc.array(gap, { minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(neighbours, neighbours, gaps, fc.boolean(), fc.boolean(), (before, after, texts, isEnded, isAlone) => {
      let place = 0
      const next = (): string => texts[(place += 1) % texts.length] ?? ''
      const entry = '"varve": { "command": "x", /* ours */ "args": [] }'
      const items = [...before, entry, ...after.filter((one) => !before.includes(one))]
      const inner = items.map((item) => `${next()}${item}${next()}`).join(',')
      const beside = isAlone ? '' : `,${next()}"other": true`
      const text = `{${next()}"servers":${next()}{${inner}${isEnded ? `,${next()}` : ''}}${beside}${next()}}${next()}`
      const left = without(text)
      const { servers, ...others }: { servers?: Record<string, unknown> } = parse(text)
      const { varve: _gone, ...rest } = servers ?? {}
      const said: { servers?: Record<string, unknown> } = parse(left)
      expect(said).toEqual('servers' in said ? { ...others, servers: rest } : others)
      if ('servers' in said || Object.keys(rest).length > 0) expect(signsOf(left)).toBe(signsOf(text.replace(entry, '')))
      else expect(commentsOf(left)).toEqual(commentsOf(text.replace(entry, '')))
    }),
  )
})

/** Line ends of comments count: without one, a comment takes in what follows. */
function signsOf(text: string): string {
  return text.replaceAll(/[\s,]/g, '')
}

function commentsOf(text: string): readonly string[] {
  return text.match(/\/\/[^\r\n]*|\/\*.*?\*\/|"[^"]*"/gs)?.filter((one) => !one.startsWith('"')) ?? []
}
