import { claim, type GivenBack, type PieceOfWork, release } from '../storage/claims.ts'
import {
  finishReading,
  type HeldBank,
  type NewDigest,
  type ReadState,
  seenBank,
  storeDigest,
  storeParts,
} from '../storage/derived/distilled.ts'
import type { NewPart } from '../storage/derived/part-stores.ts'
import type { Here } from '../storage/here.ts'
import { beginCall, endCall } from '../storage/log/ledger.ts'
import { plain, timed } from '../storage/offer.ts'
import { letGoOfWork, type WorkKind } from '../storage/work.ts'

/** How long something is held: longer than a call may take with what is done around it. It is held anew with each thing that is stored. */
const leaseMs = 300_000

/** How leases are taken and given back, and how what was read is stored: under the lease, by the store's time. */
export const distilWrites = {
  /** Holds a piece of work. Gives back how often in a row it failed before, undefined when another holds it. */
  claim: ({ now }: Here, kind: WorkKind, piece: PieceOfWork, holder: string) => claim(kind, piece, { holder, now, until: now + leaseMs }),
  /** Gives a piece of work back; with a reason it is put off, at least until a time. */
  release: ({ now }: Here, kind: WorkKind, ref: number, holder: string, back: GivenBack) => release(kind, ref, holder, now, back),
  storeParts: ({ now }: Here, read: ReadState, parts: readonly NewPart[]) => storeParts(read, parts, now, now + leaseMs),
  finishReading: timed(finishReading),
  /** Nothing was due as of a state, the partition's `seq` and `epoch` added; looked at again when it has risen, or at a time. */
  seenBank: plain(seenBank),
  storeDigest: ({ now }: Here, digest: NewDigest, bank: HeldBank) => storeDigest(digest, bank, now, now + leaseMs),
  /** Gives back what the loops of a holder held: the thread that they ran in is gone. */
  letGo: plain(letGoOfWork),
  beginCall: timed(beginCall),
  endCall: plain(endCall),
}
