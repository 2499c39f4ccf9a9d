import { turnTaken } from './derived/reading.ts'
import { sessionRowById } from './log/sessions.ts'
import { abreast, answer, type Program, runLast, type SingleStep } from './program.ts'
import type { WorkTable } from './schema.ts'
import {
  type Again,
  claimOf,
  findWork,
  heldWork,
  type Holder,
  isHeld,
  workDrop,
  type WorkKind,
  workKinds,
  workPutOff,
  workPutOffAgain,
} from './work.ts'

/** A piece of work: the number of its session, bank or partition, and the partition that it belongs to. */
export interface PieceOfWork {
  readonly ref: number
  readonly partition: number
}

/** The reason why a piece of work is given back. With a reason it is put off, at least until a time. */
export interface GivenBack extends Partial<Again> {
  readonly reason?: string | undefined
}

/** The differences between kinds of work. Claims and releases are otherwise the same. */
interface Rules {
  /** A claim counts as the partition's turn: upkeep looks for sessions and banks in the order of turns. */
  readonly takesTurn?: true
  /** Only a session is looked up before it is claimed. Forgetting one drops its work, and a claim must not bring that back. */
  readonly isThere?: (piece: PieceOfWork) => Program<boolean>
  /** Gives back a piece of work that did not fail. */
  readonly giveBack: (work: WorkTable) => SingleStep
}

const rules: Readonly<Record<WorkKind, Rules>> = {
  session: {
    takesTurn: true,
    *isThere({ partition, ref }) {
      return (yield* sessionRowById(partition, ref)) !== undefined
    },
    // A provisional text is written again once the model may be asked again: that time stays.
    giveBack: (work) => (work.reason === null ? workDrop(work) : workPutOff(work, work.attempts, work.due_at, work.reason)),
  },
  // The row also holds the state in which nothing was due in the bank, so it stays. The bank is due at once.
  bank: { takesTurn: true, giveBack: (work) => workPutOff(work, work.attempts, 0, work.reason) },
  notes: { giveBack: workDrop },
  documents: { giveBack: workDrop },
}

/** Claims a piece of work for a while. Returns the number of failures in a row before; undefined when another holder has it. */
export function* claim(kind: WorkKind, { ref, partition }: PieceOfWork, holder: Holder): Program<number | undefined> {
  const { isThere, takesTurn } = rules[kind]
  const key = { kind: workKinds[kind], ref }
  const [stands, work] = yield* abreast([isThere === undefined ? answer(true) : isThere({ ref, partition }), findWork(key)])
  if (!stands || isHeld(work, holder)) return undefined
  yield* runLast([claimOf(work, key, partition, holder), ...(takesTurn === true ? [turnTaken(partition, holder.now)] : [])])
  return work?.attempts ?? 0
}

/** Gives a piece of work back, if it is still held. */
export function* release(kind: WorkKind, ref: number, holder: string, now: number, back: GivenBack): Program<void> {
  const { reason, notBefore = 0 } = back
  const work = yield* heldWork({ kind: workKinds[kind], ref }, holder)
  if (work === undefined) return
  const given =
    reason === undefined ? rules[kind].giveBack(work) : workPutOffAgain(work, work.attempts, { ...back, notBefore }, reason, now)
  yield* runLast([given])
}
