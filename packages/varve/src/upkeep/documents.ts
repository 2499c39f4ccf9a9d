import type { Limits } from '../distil/distiller.ts'
import type { Documented, Documenter } from '../distil/documenter.ts'
import { dueDocuments, type DueScope } from '../distil/due.ts'
import type { LayerGround } from '../distil/layer-ground.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { PendingPartition } from '../storage/pages/page-facts.ts'
import type { Turn } from './loop.ts'

/** What a turn came to: how many facts were worked in, and which documents were written. */
export interface DocumentTurn extends Turn {
  readonly documents: readonly { readonly name: string; readonly revision: number }[]
}

/** Works into documents what was read for them. */
export class DocumentUpkeep {
  readonly #ground: LayerGround
  readonly #documenter: Documenter
  readonly #own: { readonly holder: string; readonly isSpent: (limits: Limits) => boolean }
  #claims = 0

  constructor(ground: LayerGround, documenter: Documenter, own: { holder: string; isSpent: (limits: Limits) => boolean }) {
    this.#ground = ground
    this.#documenter = documenter
    this.#own = own
  }

  /** Works in what waits until nothing does, or the limits come first; in one partition, or in all. */
  async turn(limits: Limits, only: DueScope | undefined): Promise<DocumentTurn> {
    let done = 0
    const documents: { name: string; revision: number }[] = []
    for (;;) {
      const due = await this.#ground.read(dueDocuments(this.#ground.clock.now(), only))
      if (due.length === 0) return { done, documents, settled: true }
      let worked = 0
      for (const one of due) {
        if (limits.signal.aborted || this.#own.isSpent(limits) || (done + worked > 0 && performance.now() >= limits.until))
          return { done: done + worked, documents, settled: false }
        const result = await this.#workIn(one, limits)
        worked += result?.facts ?? 0
        documents.push(...(result?.documents ?? []))
      }
      done += worked
      if (worked === 0) return { done, documents, settled: false }
    }
  }

  async #workIn(due: PendingPartition, limits: Limits): Promise<Documented | undefined> {
    // One's own loop and one who asks for it now keep out of each other's way as two processes do.
    this.#claims += 1
    const holder = `${this.#own.holder}/${this.#claims}`
    const attempts = await this.#ground.write.claimDocuments(due.partition, holder)
    if (attempts === undefined) return undefined
    try {
      const result = await this.#documenter.workIn(due, holder, attempts, limits)
      await this.#ground.write.releaseDocuments(due.partition, holder, result.problem?.reason, result.problem?.notBefore)
      return result
    } catch (error) {
      const reason = limits.signal.aborted ? undefined : error instanceof VarveError ? error.code : 'UNEXPECTED'
      await this.#ground.write.releaseDocuments(due.partition, holder, reason)
      throw error
    }
  }
}
