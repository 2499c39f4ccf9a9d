import { expect, test } from 'vitest'
import { codeLines } from './code-lines.ts'

const proseIn = (text: string): string => {
  const lines = text.split('\n')
  const isCode = codeLines(lines)
  return lines.filter((line, at) => isCode[at] !== true && line !== '').join('|')
}

test.each([
  ['no fence', 'a\nb', 'a|b'],
  ['a fence and its end', 'a\n```ts\nlet b\n\nlet c\n```\nd', 'a|d'],
  ['two blocks', '```\na\n```\nb\n~~~\nc\n~~~', 'b'],
  ['a fence that is never closed: its paragraph', 'a\n```\nlet b\nlet c\n\nd\n\ne', 'a|d|e'],
  ['a second fence that is never closed', '```\na\n```\nb\n```\nc\n\nd', 'b|d'],
  ['an open fence to the end', 'a\n```\nlet b', 'a'],
])('%s', (_name, text, prose) => {
  expect(proseIn(text)).toBe(prose)
})
