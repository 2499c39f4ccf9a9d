import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byHand, extractive } from '../models/writer.ts'
import type { InstructionTable } from '../storage/known-tables.ts'
import { uuidBytes, uuidText } from '../storage/uuid-bytes.ts'
import { compareInstructions } from './compare.ts'
import { deriveInstructions, shownOf, textOf } from './derive.ts'
import { mostStanding } from './request.ts'

/** A statement, recorded as the n-th. It is the message of that time in session 1. */
function said(content: string, at: number, changes: Partial<InstructionTable> = {}, recorded = at): InstructionTable {
  const uuid = uuidBytes(`01890a5d-ac96-774b-bcce-${String(recorded).padStart(12, '0')}`) ?? new Uint8Array(16)
  return {
    uuid,
    partition_id: 1,
    session_id: 1,
    seq: at,
    starts: 0,
    ends: content.length,
    said_at: at,
    recorded_at: recorded,
    edited_at: null,
    withdrawn_at: null,
    takes_back: 0,
    compared: 0,
    provisional: 0,
    writer: extractive,
    content,
    hand: null,
    ended: '[]',
    noted_in: 0,
    ...changes,
  }
}

/** Words with the same first letter are about the same; `-x` takes back what begins with x. */
const ends = (later: string, earlier: string): boolean => later.replace('-', '')[0] === earlier[0]

/** Notes the ends that a comparison finds. */
function compared(rows: readonly InstructionTable[]): InstructionTable[] {
  const found = compareInstructions(rows, ends).ends
  return rows.map((row) => {
    const id = uuidText(row.uuid)
    return { ...row, compared: 1, ended: JSON.stringify(found.filter(({ later }) => later === id).map(({ earlier }) => earlier)) }
  })
}

const told = (rows: readonly InstructionTable[]) =>
  deriveInstructions(compared(rows)).map(({ rows: [first], end }) => [first === undefined ? '' : textOf(first), end?.at, end?.by?.content])

// requirement: PART-22
test('a later instruction ends an earlier one from its own time on, in whatever order they were recorded', () => {
  const rows = [said('a1', 10, {}, 3), said('a2', 20, {}, 1), said('b1', 15, {}, 2)]
  const expected = [
    ['a2', undefined, undefined],
    ['b1', undefined, undefined],
    ['a1', 20, 'a2'],
  ]
  expect(told(rows)).toEqual(expected)
  expect(told(rows.toReversed())).toEqual(expected)
})

// requirement: PART-22
test('when a later one is gone, the earlier one stands again, or ends with the next', () => {
  const [a1, a2, a3] = [said('a1', 10), said('a2', 20), said('a3', 30)]
  expect(told([a1, a2, a3]).at(-1)).toEqual(['a1', 20, 'a2'])
  expect(told([a1, a3]).at(-1)).toEqual(['a1', 30, 'a3'])
  expect(told([a1])).toEqual([['a1', undefined, undefined]])
})

test('words that only take back are no instruction', () => {
  expect(told([said('a1', 10), said('-a', 20, { takes_back: 1 })])).toEqual([['a1', 20, '-a']])
})

test('the same words are one instruction while it stands, and a new one after its end', () => {
  const rows = [said('a1', 10), said('A1!', 20), said('-a', 30, { takes_back: 1 }), said('a1', 40)]
  const all = deriveInstructions(compared(rows))
  expect(all.map((one) => [one.rows.map(({ said_at: at }) => at), one.end?.at])).toEqual([
    [[40], undefined],
    [[10, 20], 30],
  ])
})

describe('a change by hand', () => {
  test('a withdrawal also ends the same words that were said before it and are read later', () => {
    const rows = [said('a1', 10, { withdrawn_at: 25 }), said('a1', 20, {}, 99), said('a1', 30)]
    expect(deriveInstructions(compared(rows)).map(({ rows: some, end }) => [some.length, end?.at])).toEqual([
      [1, undefined],
      [2, 25],
    ])
  })

  test('an edit counts from its own time, and its words are compared', () => {
    const edited = said('a1', 10, { hand: 'b9', edited_at: 50 })
    expect(told([edited, said('a2', 20), said('b1', 30)])).toEqual([
      ['b9', undefined, undefined],
      ['b1', 50, 'a1'],
      ['a2', undefined, undefined],
    ])
  })
})

test('of very many, those by hand and the last said stand', () => {
  const many = Array.from({ length: mostStanding + 10 }, (_, at) => said(`${at} x`, at + 1))
  const first = said('by hand', 0, { writer: byHand, session_id: 0 })
  const shown = shownOf(deriveInstructions([first, ...many]))
  expect([shown.length, shown.at(-1)?.first.content, shown[0]?.first.content]).toEqual([mostStanding, 'by hand', `${mostStanding + 9} x`])
})

const statements = fc.array(fc.record({ word: fc.constantFrom('a1', 'a2', 'b1', '-a', '-b'), at: fc.integer({ min: 1, max: 9 }) }), {
  maxLength: 12,
})

test('an instruction never ends before it begins, no statement is in two, and the order of recording changes nothing', () => {
  fc.assert(
    fc.property(statements, fc.infiniteStream(fc.nat()), (list, numbers) => {
      const rows = list.map(({ word, at }, place) => said(word, at, { takes_back: Number(word.startsWith('-')), seq: place }, place + 1))
      const all = deriveInstructions(compared(rows))
      for (const {
        rows: [first],
        end,
      } of all)
        expect(end === undefined || end.at >= (first?.said_at ?? 0)).toBe(true)
      const used = all.flatMap((one) => one.rows)
      expect([new Set(used).size, used.length]).toEqual([used.length, rows.filter((row) => row.takes_back === 0).length])
      const shuffled = rows.map((row) => ({ row, by: numbers.next().value ?? 0 })).toSorted((a, b) => a.by - b.by)
      expect(deriveInstructions(compared(shuffled.map(({ row }) => row))).map(({ end }) => end?.at)).toEqual(all.map(({ end }) => end?.at))
    }),
  )
})
