import { expect, test } from 'vitest'
import type { StatedInstruction } from '../../../models/writer.ts'
import type { Case, Pair } from '../../instructions/label.sentences.ts'
import { endsInstruction } from '../../instructions/ends-instruction.ts'
import { statedInstructions } from '../../instructions/stated-instructions.ts'
import { english } from '../pack.ts'
import { chats } from './chats.sentences.ts'
import { closing } from './closing.sentences.ts'
import { fresh } from './fresh.sentences.ts'
import { late } from './late.sentences.ts'
import { mixed } from './mixed.sentences.ts'
import { reportingPairs, workingPairs } from './pairs.sentences.ts'
import { reporting } from './reporting.sentences.ts'
import { trades } from './trades.sentences.ts'
import { working } from './working.sentences.ts'

function instructionsIn(text: string): StatedInstruction[] {
  return statedInstructions([{ seq: 1, at: 0, role: 'user', origin: 'person', text }], [english])
}

function expectedOf([kind, text, ...named]: Case): string[] {
  if (kind.startsWith('trap: ')) return []
  return named.length > 0 ? named : [text.replace(/[\s.!?…]+$/u, '')]
}

function measured(cases: readonly Case[]): { precision: number; recall: number; misses: string[] } {
  const misses: string[] = []
  let [right, given, wanted] = [0, 0, 0]
  for (const one of cases) {
    const [kind, text] = one
    const expected = expectedOf(one)
    const found = instructionsIn(text)
    const texts = found.flatMap((each) => (each.isWithdrawal === kind.startsWith('withdrawal') ? [each.text] : []))
    given += found.length
    wanted += expected.length
    right += texts.filter((each) => expected.includes(each)).length
    misses.push(
      ...found.filter((each) => !expected.includes(each.text)).map((each) => `${kind}: ${text} → too much: ${each.text}`),
      ...expected.filter((each) => !texts.includes(each)).map((each) => `${kind}: ${text} → missed: ${each}`),
    )
  }
  return { precision: right / given, recall: right / wanted, misses }
}

test.each([
  ['working', working],
  ['reporting', reporting],
  ['chats', chats],
  ['mixed', mixed],
  ['fresh', fresh],
  ['late', late],
  ['closing', closing],
  ['trades', trades],
] as const)('standing instructions are read, and traps are not: the %s part', (part, cases) => {
  const { precision, recall, misses } = measured(cases)
  process.stdout.write(
    `instructions, ${part} part: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} over ${cases.length} messages\n`,
  )
  expect(precision, misses.join('\n')).toBeGreaterThanOrEqual(0.97)
  expect(recall, misses.join('\n')).toBeGreaterThanOrEqual(0.92)
})

test('about half of the messages are traps, and no message stands twice', () => {
  const all = [...working, ...reporting, ...chats, ...mixed, ...fresh, ...late, ...closing, ...trades]
  expect(all.length).toBeGreaterThanOrEqual(360)
  expect(all.filter(([kind]) => kind.startsWith('trap: ')).length).toBeGreaterThanOrEqual(all.length * 0.45)
  expect(all.filter(([kind, , ...named]) => kind.startsWith('trap: ') && named.length > 0)).toEqual([])
  expect(new Set(all.map(([, text]) => text)).size).toBe(all.length)
})

test('an instruction has its place in the message, as the person wrote it', () => {
  const text = '  Hi, I am back with the plan of the garden!   Please keep your\n answers   **really** short, thanks. 🙂 And call me Al.'
  const found = instructionsIn(text)
  expect(found.map(({ text }) => text)).toEqual(['keep your answers **really** short', 'call me Al'])
  expect(found.map(({ begins, ends }) => text.slice(begins, ends))).toEqual(['keep your\n answers   **really** short', 'call me Al'])
})

test('only persons give instructions', () => {
  const said = { seq: 1, at: 0, text: 'Always show code in TypeScript.' } as const
  const messages = [
    { ...said, role: 'assistant', origin: 'assistant' },
    { ...said, role: 'tool', origin: 'tool' },
    { ...said, role: 'system', origin: 'system' },
    { ...said, role: 'user', origin: 'person' },
  ] as const
  expect(statedInstructions(messages, [english]).map(({ message }) => message)).toEqual([3])
})

test('a long instruction is cut at 300 characters', () => {
  const [found] = instructionsIn(`Always show code in TypeScript with ${'a name and '.repeat(60)}.`)
  expect(found?.text.length).toBeLessThanOrEqual(300)
  expect(found?.text).toMatch(/ (?:a|name|and)$/u)
})

function measuredPairs(pairs: readonly Pair[]): { precision: number; recall: number; misses: string[] } {
  const read = pairs.map(([later, earlier, ends]) => ({ later, earlier, ends, found: endsInstruction(later, earlier) }))
  const given = read.filter(({ found }) => found)
  const right = given.filter(({ ends }) => ends).length
  return {
    precision: right / given.length,
    recall: right / read.filter(({ ends }) => ends).length,
    misses: read.flatMap(({ later, earlier, ends, found }) => (ends === found ? [] : [`${later} | ${earlier} → ${found}`])),
  }
}

test.each([
  ['working', workingPairs],
  ['reporting', reportingPairs],
] as const)('an instruction ends when a later one replaces it or takes it back: the %s pairs', (part, pairs) => {
  const { precision, recall, misses } = measuredPairs(pairs)
  process.stdout.write(
    `instructions, ${part} pairs: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} over ${pairs.length} pairs\n`,
  )
  expect(precision, misses.join('\n')).toBeGreaterThanOrEqual(0.98)
  expect(recall, misses.join('\n')).toBeGreaterThanOrEqual(0.95)
})

test('about half of the pairs both stand, and no instruction ends itself', () => {
  const all = [...workingPairs, ...reportingPairs]
  expect(all.length).toBeGreaterThanOrEqual(80)
  expect(all.filter(([, , ends]) => !ends).length).toBeGreaterThanOrEqual(all.length * 0.45)
  const same = all.map(([, earlier]) => earlier).filter((text) => endsInstruction(text, text))
  expect(same).toEqual([])
})
