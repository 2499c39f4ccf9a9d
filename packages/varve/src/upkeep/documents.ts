import type { Limits } from '../distil/limits.ts'
import type { Documented, Documenter } from '../distil/documenter.ts'
import { dueDocuments } from '../distil/due.ts'
import type { DueScope } from '../storage/due-place.ts'
import type { WritingMeans } from '../distil/writing-means.ts'
import type { PendingPartition } from '../storage/pages/page-facts.ts'
import type { Leases, LeasedWork } from './leased.ts'
import type { UpkeepTurn } from './loop.ts'
import type { ScopedLook } from './scoped-look.ts'
import type { TalliedLimits } from './work-tally.ts'
import { turnOf } from './turns.ts'

/** The result of a turn: the number of facts that were worked in, and the documents that were written. */
export interface DocumentTurn extends UpkeepTurn {
  readonly documents: readonly { readonly name: string; readonly revision: number }[]
}

/** Works facts into the documents that they were read for. */
export class DocumentUpkeep {
  readonly #means: WritingMeans
  readonly #leases: Leases
  readonly hasEditor: boolean
  readonly #work: LeasedWork<PendingPartition, Documented>

  constructor(means: WritingMeans, documenter: Documenter, leases: Leases, isSpent: (limits: Limits) => boolean) {
    this.#means = means
    this.#leases = leases
    this.hasEditor = documenter.hasEditor
    this.#work = {
      kind: 'documents',
      piece: ({ partition }) => ({ ref: partition, partition }),
      work: (due, { holder, attempts }, limits) => documenter.workIn(due, holder, attempts, limits),
      giveBack: ({ problem = {} }) => problem,
      progress: ({ facts = 0, aside = 0 } = { facts: 0, documents: [] }) => ({ done: facts, moved: facts + aside > 0, ends: false }),
      isSpent,
    }
  }

  /**
   * Works in waiting facts until none waits, or the limits come first; in one partition, or in all. Those that `mayWait`
   * are left to the host's own model for a day, where it reads and no editor is configured.
   */
  async turn(limits: TalliedLimits, only: DueScope | undefined, mayWait: boolean, look?: ScopedLook): Promise<DocumentTurn> {
    const documents: { name: string; revision: number }[] = []
    const work: LeasedWork<PendingPartition, Documented> = {
      ...this.#work,
      progress: (result, of) => {
        documents.push(...(result?.documents ?? []))
        return this.#work.progress(result, of)
      },
    }
    const due = (): Promise<readonly PendingPartition[]> =>
      look?.documents() ?? this.#means.read(dueDocuments(this.#means.clock.now(), only, !mayWait || this.hasEditor))
    return { ...(await turnOf(this.#leases, work, due, limits)), documents }
  }
}
