import type { DueSession } from '../storage/derived/reading.ts'
import {
  claimBank,
  claimSession,
  finishReading,
  type HeldBank,
  type NewDigest,
  type ReadState,
  releaseBank,
  releaseSession,
  seenBank,
  storeDigest,
  storeParts,
} from '../storage/derived/distilled.ts'
import type { NewPart } from '../storage/derived/parts.ts'
import type { Here } from '../storage/here.ts'
import { beginCall, endCall } from '../storage/log/ledger.ts'
import { plain, timed } from '../storage/offer.ts'
import { claimNotes, releaseNotes } from '../storage/pages/notes-work.ts'
import { claimDocuments, releaseDocuments } from '../storage/pages/page-facts.ts'
import { type Holder, letGoOfWork } from '../storage/work.ts'

/** How long something is held: longer than a call may take with what is done around it. It is held anew with each thing that is stored. */
const leaseMs = 300_000

/** How leases are taken and given back, and how what was read is stored: under the lease, by the store's time. */
export const distilWrites = {
  claimSession: ({ now }: Here, due: DueSession, holder: string) => claimSession(due, held(holder, now)),
  /** Gives a session back; with a reason it is put off. */
  releaseSession: ({ now }: Here, session: number, holder: string, reason?: string) => releaseSession(session, holder, now, reason),
  storeParts: ({ now }: Here, read: ReadState, parts: readonly NewPart[]) => storeParts(read, parts, now, now + leaseMs),
  finishReading: timed(finishReading),
  claimBank: ({ now }: Here, partition: number, holder: string) => claimBank(partition, held(holder, now)),
  /** Gives a bank back; with a reason it is put off, at least until a time. */
  releaseBank: ({ now }: Here, partition: number, holder: string, reason?: string, notBefore = 0) =>
    releaseBank(partition, holder, now, reason, notBefore),
  /** Nothing was due as of a state, the partition's `seq` and `epoch` added; looked at again when it has risen, or at a time. */
  seenBank: plain(seenBank),
  storeDigest: ({ now }: Here, digest: NewDigest, bank: HeldBank) => storeDigest(digest, bank, now, now + leaseMs),
  claimDocuments: ({ now }: Here, partition: number, holder: string) => claimDocuments(partition, held(holder, now)),
  releaseDocuments: ({ now }: Here, partition: number, holder: string, reason?: string, notBefore = 0) =>
    releaseDocuments(partition, holder, now, reason, notBefore),
  claimNotes: ({ now }: Here, session: number, partition: number, holder: string) => claimNotes(session, partition, held(holder, now)),
  releaseNotes: ({ now }: Here, session: number, holder: string, reason?: string, notBefore = 0) =>
    releaseNotes(session, holder, now, reason, notBefore),
  /** Gives back what the loops of a holder held: the thread that they ran in is gone. */
  letGo: plain(letGoOfWork),
  beginCall: timed(beginCall),
  endCall: plain(endCall),
}

function held(holder: string, now: number): Holder {
  return { holder, now, until: now + leaseMs }
}
