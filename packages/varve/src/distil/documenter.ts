import { matchDocument } from '../documents/match.ts'
import type { DocumentWrite } from '../documents/work-in.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import { documents } from '../layers/documents.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { PendingPartition } from '../storage/pages/page-facts.ts'
import { askUnlessDown, type NoAnswer } from './ask-unless-down.ts'
import type { AskedModel } from './asked-model.ts'
import { Edits } from './edits.ts'
import type { WritingMeans } from './writing-means.ts'
import type { DocumentEdit, PendingSubject } from './pending-documents.ts'
import { asideOf, isWorthPage } from './plain-subjects.ts'
import { askedFor, type Limits, mostAttempts } from './limits.ts'
import { spanTokens } from './span-tokens.ts'
import type { FailedEdit } from '../tasks/parse-edits.ts'
import { settingsOf } from './settings.ts'

/** The most requests to an editor about one document. The second tells it the faults of its answer. */
const tries = 2

/** Documents that are edited at the same time. */
const mostAtOnce = 4

/**
 * The most documents that a model edits in one pass. All of them must be done before another process may take the work
 * for given up.
 */
const mostAPass = 8

/** The most passes when somebody edits a document meanwhile. */
const passes = 4

/** The result of work on a partition: the number of facts worked in, or the reason why they still wait. */
export interface Documented {
  readonly facts: number
  readonly documents: readonly { readonly name: string; readonly revision: number }[]
  /** Facts that were set aside: their subjects have too few for a document. */
  readonly aside?: number
  readonly problem?: { readonly reason: string; readonly notBefore: number } | undefined
}

/** The part of an embedding model that matches subjects with documents. */
export type Embedding = Pick<EmbeddingModel, 'identity' | 'embed'>

/** Works facts into the documents of their subjects: one editor a document, all documents of a pass at once or none. */
export class Documenter {
  readonly #means: WritingMeans
  readonly #edits: Edits
  readonly #model: AskedModel | undefined
  readonly #embedding: Embedding | undefined

  constructor(means: WritingMeans, model: AskedModel | undefined, embedding: Embedding | undefined) {
    this.#means = means
    this.#edits = new Edits(means)
    this.#model = model
    this.#embedding = embedding
  }

  /** True when there is an editor, whether it answers now or not. */
  get hasEditor(): boolean {
    return this.#model !== undefined
  }

  /** Works in the waiting facts of a partition that `holder` holds, as many as one pass takes. */
  async workIn(due: PendingPartition, holder: string, attempts: number, limits: Limits): Promise<Documented> {
    for (let pass = 0; pass < passes; pass += 1) {
      const subjects = await this.#matched(due.partition, await this.#edits.subjects(due.partition), limits.signal)
      if (subjects.length === 0) return { facts: 0, documents: [] }
      const run = new PassRun(due, attempts, limits)
      const { ready, aside } = await this.#ready(due, subjects, holder)
      const writes = await this.#written(run, ready.slice(0, this.#room(limits)))
      if (run.problem !== undefined) return { facts: 0, documents: [], problem: run.problem }
      const result = await this.#means.workIn(due.partition, holder, writes)
      if (!('documents' in result)) continue
      const facts = writes.reduce((sum, { steps }) => sum + steps.reduce((of, step) => of + step.facts.length, 0), 0)
      this.#means.observer.count('documented', facts)
      this.#means.observer.emit({ type: 'documented', project: due.name, documents: result.documents.length, facts })
      return { facts, documents: result.documents, aside }
    }
    return { facts: 0, documents: [], problem: { reason: 'STALE_REVISION', notBefore: 0 } }
  }

  /** Makes an edit a document. Without a model those that are not worth one are set aside. */
  async #ready(
    { partition, settings }: PendingPartition,
    subjects: readonly PendingSubject[],
    holder: string,
  ): Promise<{ readonly ready: readonly DocumentEdit[]; readonly aside: number }> {
    const { timeZone } = settingsOf(settings)
    if (this.#model !== undefined) return { ready: await this.#edits.of(partition, subjects, timeZone), aside: 0 }
    const edits = await this.#edits.of(partition, await this.#edits.underSpeakers(partition, subjects), timeZone)
    const ready = edits.filter(isWorthPage)
    const few = edits.filter((edit) => !ready.includes(edit)).flatMap(asideOf)
    if (few.length > 0) await this.#means.setAside(partition, holder, few)
    return { ready, aside: few.length }
  }

  /** Gives the most documents of a pass; the rest waits for the next. */
  #room({ calls }: Limits): number | undefined {
    return this.#model === undefined ? undefined : Math.max(1, Math.min(mostAPass, calls - this.#model.made))
  }

  /** Writes different documents at the same time, each by one editor. */
  async #written(run: PassRun, edits: readonly DocumentEdit[]): Promise<DocumentWrite[]> {
    const writes: (readonly DocumentWrite[])[] = []
    for (let at = 0; at < edits.length && run.problem === undefined; at += mostAtOnce) {
      writes.push(...(await Promise.all(edits.slice(at, at + mostAtOnce).map((edit) => this.#write(run, edit)))))
    }
    return writes.flat()
  }

  async #write(run: PassRun, edit: DocumentEdit): Promise<readonly DocumentWrite[]> {
    if (this.#model === undefined) return this.#edits.extract(edit)
    const edited = await this.#ask(this.#model, run, edit)
    if (edited === 'later') return []
    if (edited === 'not by it') return this.#edits.extract(edit)
    const { page, revision, name, facts } = edit
    return [
      {
        page,
        basis: revision,
        name,
        writer: this.#model.name,
        sawPage: true,
        steps: [{ ...edited, facts: facts.flatMap(({ ids }) => ids) }],
      },
    ]
  }

  /**
   * Asks the editor. `not by it` when it has no usable answer about this document, or is down time after time. Then
   * the extractive writer serves, and no other document is held up.
   */
  async #ask(
    model: AskedModel,
    run: PassRun,
    edit: DocumentEdit,
  ): Promise<{ content: string; description: string } | 'later' | 'not by it'> {
    const { clock } = this.#means
    const { signal } = run.limits
    const settings = settingsOf(run.due.settings)
    let failed: FailedEdit | undefined
    for (let tried = 0; tried < tries; tried += 1) {
      const asked = await this.#edits.ask(edit, failed)
      if (model.isUp() && asked.tokens > spanTokens(await model.window(signal))) return 'not by it'
      const about = await askedFor({ project: run.due.project, settings }, 'edit', documents.bit, clock.now(), run.limits)
      const answer = await askUnlessDown(model, [asked, about], clock, signal)
      if ('reason' in answer) return run.failed(answer)
      const edited = await this.#edits.parse(edit, answer.object)
      if ('content' in edited) return edited
      failed = edited
      if (tried + 1 === tries) run.limits.unused?.('its edits cannot be used')
    }
    return 'not by it'
  }

  /** Matches subjects that name no document with the one that they clearly mean. */
  async #matched(partition: number, subjects: readonly PendingSubject[], signal: AbortSignal): Promise<readonly PendingSubject[]> {
    const found: PendingSubject[] = []
    for (const subject of subjects)
      found.push(
        subject.document === undefined && this.#embedding !== undefined
          ? { ...subject, document: await this.#near(this.#embedding, partition, subject, signal) }
          : subject,
      )
    return found
  }

  async #near(model: Embedding, partition: number, { name, facts }: PendingSubject, signal: AbortSignal): Promise<number | undefined> {
    try {
      const maker = await model.identity({ priority: 'background', signal })
      const [ofName, ofFacts] = await model.embed([name, facts.map(({ fact }) => fact).join(' ')], { priority: 'background', signal })
      if (ofName === undefined || ofFacts === undefined) return undefined
      const near = await this.#means.nearDocuments(partition, maker, { name: ofName, facts: ofFacts })
      return matchDocument(name, near, new Map(near.map(({ id, nearness }) => [id, nearness])))?.id
    } catch (error) {
      // Without vectors a subject has a document of its own: it is found by its name from then on.
      if (error instanceof ModelFailed) return undefined
      throw error
    }
  }
}

/** One pass over the waiting facts, with its problem. */
class PassRun {
  readonly due: PendingPartition
  readonly limits: Limits
  problem: Documented['problem']
  readonly #attempts: number

  constructor(due: PendingPartition, attempts: number, limits: Limits) {
    this.due = due
    this.#attempts = attempts
    this.limits = limits
  }

  /** Puts the whole pass off while the model is down, but not for ever. */
  failed({ isOfRequest, reason, notBefore }: NoAnswer): 'later' | 'not by it' {
    if (isOfRequest || this.#attempts >= mostAttempts) return 'not by it'
    this.problem = { reason, notBefore }
    return 'later'
  }
}
