import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { moveStore } from '../../packages/varve/src/memory/moving/move-store.ts'
import { newStore, rejection } from '../fixtures/memory/open.ts'
import { makeStore, newSchema, openMoved, rowsOf, server } from '../fixtures/moving/stores.ts'

const child = new URL('../fixtures/moving/move-child.ts', import.meta.url).pathname

/** The steps after which the process that moves is killed: three while rows are copied, one of each comparison. */
const moments = [
  ['rows', 1],
  ['rows', 7],
  ['rows', 20],
  ['comparison', 5],
  ['questions', 3],
] as const

/** Moves in a process of its own, which is killed right after a step. Gives the signal that ended it. */
function killedAfter(from: string, to: string, [doing, nth]: (typeof moments)[number]): Promise<string | null> {
  const moving = spawn(process.execPath, [child, from, to, doing, String(nth)], { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve, reject) => {
    moving.once('error', reject)
    moving.once('exit', (_code, signal) => resolve(signal))
  })
}

async function killedAndResumed(from: string, to: string, back: string | undefined): Promise<void> {
  await makeStore(from)
  const before = rowsOf(from)
  for (const moment of moments) {
    expect(await killedAfter(from, to, moment), String(moment)).toBe('SIGKILL')
    expect(await rejection(openMoved(to)), String(moment)).toMatchObject({ code: 'STORE_BUSY' })
  }
  const { resumedAt, rows } = await moveStore({ from, to })
  // The last one was killed when all rows were there.
  expect(resumedAt).toBe(rows)
  if (back !== undefined) await moveStore({ from: to, to: back })
  expect(rowsOf(back ?? to)).toEqual({ ...before, schema_migration: expect.any(Array) })
}

test('a move to SQLite that was killed at any moment goes on, and ends the same', () => killedAndResumed(newStore(), newStore(), undefined))

describe.skipIf(server === undefined)('PostgreSQL', () => {
  test('a move to a server that was killed at any moment goes on, and ends the same', () =>
    killedAndResumed(newStore(), newSchema(), newStore()))
})
