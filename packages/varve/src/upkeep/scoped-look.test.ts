import { expect, test } from 'vitest'
import type { DueKind } from '../storage/derived/reading.ts'
import { type ScopedDue, ScopedLook } from './scoped-look.ts'

/** A scope in which one session is due before each look but the last ones. */
function lookAt(due: number, kinds: readonly DueKind[] = ['unread', 'waited', 'lacking']): { look: ScopedLook; looks: () => number } {
  let looks = 0
  const look = new ScopedLook(async (): Promise<ScopedDue> => {
    looks += 1
    const sessions = looks <= due ? [{ id: looks, partition: 1, wanted: 1 }] : []
    return {
      notes: [],
      sessions: new Map(kinds.map((kind) => [kind, kind === 'unread' ? sessions : []])),
      documents: [],
      waiting: { sessions: looks },
    }
  })
  return { look, looks: () => looks }
}

test('loops that find nothing share one look', async () => {
  const { look, looks } = lookAt(0)
  expect(await look.notes()).toEqual([])
  for (const kind of ['unread', 'waited', 'lacking'] as const) expect(await look.sessions(kind)).toEqual([])
  expect(await look.documents()).toEqual([])
  expect(look.waiting).toEqual({ sessions: 1 })
  expect(looks()).toBe(1)
})

test('a loop that looks again has done something: it and those after it get a new look', async () => {
  const { look, looks } = lookAt(1)
  await look.notes()
  expect(await look.sessions('unread')).toHaveLength(1)
  expect(await look.sessions('unread')).toEqual([])
  await look.sessions('waited')
  await look.documents()
  expect(looks()).toBe(2)
  expect(look.waiting).toEqual({ sessions: 2 })
})

test('an ended look serves nobody', async () => {
  const { look, looks } = lookAt(0)
  await look.notes()
  look.end()
  expect(look.waiting).toBeUndefined()
  await look.sessions('unread')
  expect(looks()).toBe(2)
})

test('a kind that it did not look for, since the model answered then, is looked for', async () => {
  const { look, looks } = lookAt(0, ['unread', 'provisional', 'lacking'])
  await look.sessions('unread')
  expect(await look.sessions('waited')).toEqual([])
  expect(looks()).toBe(2)
})
