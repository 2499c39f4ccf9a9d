import { claim, type GivenBack, type PieceOfWork, release } from '../storage/claims.ts'
import {
  finishReading,
  type HeldBank,
  type NewDigest,
  type ReadState,
  seenBank,
  storeComposed,
  storeDigest,
  storeParts,
} from '../storage/derived/distilled.ts'
import { noteEnds } from '../storage/derived/instructions.ts'
import { noteStateEnds } from '../storage/known/assertion-ends.ts'
import type { NewPart } from '../storage/derived/part-stores.ts'
import type { Here } from '../storage/here.ts'
import { changesByHand } from '../storage/journal/told.ts'
import { beginCall, endCall } from '../storage/log/ledger.ts'
import { endHanded, type HandOut, handOut } from '../storage/log/readings.ts'
import { plain, timed } from '../storage/offer.ts'
import { letGoOfWork, type WorkKind } from '../storage/work.ts'
import { noteInstruction } from './note-instruction.ts'

/** The lease of a piece of work. It is renewed while the work goes on, and by each stored result. */
export const leaseMs = 300_000

/** The writes that take leases, give them back, and store results: under the lease, by the store's time. */
export const distilWrites = {
  /** Takes the lease of a piece of work. Gives the number of failures in a row; undefined when another holds it. */
  claim: ({ now }: Here, kind: WorkKind, piece: PieceOfWork, holder: string) => claim(kind, piece, { holder, now, until: now + leaseMs }),
  /** Gives a piece of work back. With a reason it is put off, at least until a time. */
  release: ({ now }: Here, kind: WorkKind, ref: number, holder: string, back: GivenBack) => release(kind, ref, holder, now, back),
  storeParts: ({ now }: Here, read: ReadState, parts: readonly NewPart[]) => storeParts(read, parts, now, now + leaseMs),
  finishReading: timed(finishReading),
  storeComposed: timed(storeComposed),
  noteInstruction: changesByHand('instructions', noteInstruction),
  /**
   * Notes that nothing was due in a bank's state, the sum of the partition's `seq` and `epoch`. The bank is looked at
   * again when the sum has risen, or at a time.
   */
  seenBank: plain(seenBank),
  noteInstructionEnds: plain(noteEnds),
  noteStateEnds: plain(noteStateEnds),
  storeDigest: ({ now }: Here, digest: NewDigest, bank: HeldBank) => storeDigest(digest, bank, now, now + leaseMs),
  /** Gives back everything that the loops of a holder held: the thread that they ran in is gone. */
  letGo: plain(letGoOfWork),
  beginCall: timed(beginCall),
  endCall: plain(endCall),
  /** Hands a reading to a host's own model, under the same lease. Gives its row in the ledger, or why not. */
  handOut: ({ now }: Here, out: HandOut) => handOut(out, now, now + leaseMs),
  endHanded: plain(endHanded),
}
