import { randomBytes } from 'node:crypto'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { compareAnswers } from './compare-answers.ts'
import { compareRows } from './compare-rows.ts'
import { copyRows } from './copy-rows.ts'
import { beginOrResume } from './mark.ts'
import type { MoveRequest, Sides } from './request.ts'
import { holdSource, takeTarget } from './sides.ts'

/** A store that was moved, and found to be the same. */
export interface Moved {
  readonly from: string
  readonly to: string
  readonly tables: number
  readonly rows: number
  readonly messages: number
  /** Partitions with rows. In each of them, the rows of each table have the same number and the same checksum. */
  readonly partitions: number
  /** SHA-256 of all counts and checksums: the same for two stores with the same rows. */
  readonly checksum: string
  /** Questions that both stores answered alike. */
  readonly questions: number
  /** Rows that an earlier run had moved. */
  readonly resumedAt: number
  readonly ms: number
}

/**
 * Moves a store as it is into an empty one, and verifies it. The source is held until the end, so that nothing is
 * written to it that the target would lack. A run that was stopped or killed is gone on with by the next one.
 */
export async function moveStore(request: MoveRequest): Promise<Moved> {
  const begun = performance.now()
  if (request.from === request.to) throw new InvalidOption({ option: 'to', received: 'the source', expected: 'another place' })
  const now = Date.now()
  const identity = { id: uuidv7(now), key: randomBytes(32).toString('hex') }
  const source = await holdSource(request.from, { now, identity })
  try {
    const target = await takeTarget(request.to, { now, identity })
    try {
      return await moved({ source, target }, request, begun)
    } finally {
      await target.release()
    }
  } finally {
    await source.release()
  }
}

async function moved(sides: Sides, request: MoveRequest, begun: number): Promise<Moved> {
  const { source, target } = sides
  const given = await beginOrResume(sides)
  const mark = await copyRows(sides, given, request)
  await target.settle()
  const compared = await compareRows(sides, mark, request)
  const questions = await compareAnswers(sides, compared.asked, request)
  await target.end(await source.counters(), mark.text)
  const { tables, rows, partitions, checksum } = compared
  return {
    ...{ from: source.shown, to: target.shown, tables, rows, partitions, checksum, questions },
    messages: mark.totals['message'] ?? 0,
    resumedAt: given.moved,
    ms: Math.round(performance.now() - begun),
  }
}
