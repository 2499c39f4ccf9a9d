import { tookTurn } from './derived/reading.ts'
import { sessionRowById } from './log/sessions.ts'
import type { Program } from './program.ts'
import type { WorkTable } from './schema.ts'
import { againAt, claimWork, dropWork, heldWork, type Holder, putOffWork, type WorkKind, workKinds } from './work.ts'

/** A piece of work: the number of its session, bank or partition, and the partition that it belongs to. */
export interface PieceOfWork {
  readonly ref: number
  readonly partition: number
}

/** Why a piece is given back: with a reason it is put off, at least until a time (UTC milliseconds). */
export interface GivenBack {
  readonly reason?: string | undefined
  readonly notBefore?: number | undefined
}

/** How kinds of work differ. All else about a claim and a release is the same. */
interface Rules {
  /** A claim counts as the partition's turn: sessions and banks are looked for by whose turn it is. */
  readonly takesTurn?: true
  /** Only a session is looked up before it is claimed: forgetting one drops its work, and a claim must not bring that back. */
  readonly isThere?: (ref: number) => Program<boolean>
  /** Gives back what did not fail. */
  readonly giveBack: (work: WorkTable) => Program<void>
}

function dropRow({ kind, ref }: WorkTable): Program<void> {
  return dropWork({ kind, ref })
}

const rules: Readonly<Record<WorkKind, Rules>> = {
  session: {
    takesTurn: true,
    *isThere(ref) {
      return (yield* sessionRowById(ref)) !== undefined
    },
    // What was written without a model is written again when the model may be asked again: that time stands.
    giveBack: (work) => (work.reason === null ? dropRow(work) : putOffWork(work, work.attempts, work.due_at, work.reason)),
  },
  // The row also says as of which state nothing was due in the bank, so it stays. The bank is due at once.
  bank: { takesTurn: true, giveBack: (work) => putOffWork(work, work.attempts, 0, work.reason) },
  notes: { giveBack: dropRow },
  documents: { giveBack: dropRow },
}

/** Takes a piece of work for a while. Gives back how often in a row it failed before, undefined when another holds it. */
export function* claim(kind: WorkKind, { ref, partition }: PieceOfWork, holder: Holder): Program<number | undefined> {
  const { isThere, takesTurn } = rules[kind]
  if (isThere !== undefined && !(yield* isThere(ref))) return undefined
  const attempts = yield* claimWork({ kind: workKinds[kind], ref }, partition, holder)
  if (attempts !== undefined && takesTurn === true) yield* tookTurn(partition, holder.now)
  return attempts
}

/** Gives a piece of work back, if it is still held. */
export function* release(kind: WorkKind, ref: number, holder: string, now: number, { reason, notBefore = 0 }: GivenBack): Program<void> {
  const work = yield* heldWork({ kind: workKinds[kind], ref }, holder)
  if (work === undefined) return
  if (reason === undefined) yield* rules[kind].giveBack(work)
  else yield* putOffWork(work, work.attempts + 1, againAt(work.attempts, notBefore, now), reason)
}
