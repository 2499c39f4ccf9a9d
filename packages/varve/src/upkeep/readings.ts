import { setTimeout as pause } from 'node:timers/promises'
import { Distiller } from '../distil/distiller.ts'
import type { Limits } from '../distil/limits.ts'
import { CutShort } from '../distil/reading-run.ts'
import { Documenter } from '../distil/documenter.ts'
import type { SizedPrompt } from '../distil/asked-model.ts'
import { dueWithin } from '../distil/due.ts'
import { settingsOf } from '../distil/settings.ts'
import { Cancelled } from '../errors/cancelled.ts'
import { NotFound } from '../errors/not-found.ts'
import { StoreBusy } from '../errors/store-busy.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { contentMark, markOf } from '../messages/fence.ts'
import type { CallOutcome } from '../models/language-model.ts'
import type { PartitionId } from '../scope/partition.ts'
import { ReadingSeal } from '../signing/reading-id.ts'
import { allLayersIn } from '../storage/layers.ts'
import { type HandedPiece, handedReading, type HandRefusal, isHanded } from '../storage/log/readings.ts'
import { sessionRowById } from '../storage/log/sessions.ts'
import { pendingPageFacts, type PendingPartition } from '../storage/pages/page-facts.ts'
import { findPartition, projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { ReadingsBounds } from '../storage/readings-bounds.ts'
import { leaseMs } from '../distil/writes.ts'
import { type HostAnswer, HostModel, RequestChanged, Unanswered } from './host-model.ts'
import type { HostText } from './host-text.ts'
import type { DoneReading, NextReading, NoReading, DueReading } from './due-reading.ts'
import { dueBounds } from './waiting.ts'
import type { WorkingHere } from './working-here.ts'

/** The most passes over documents that no model is asked about, before a reading of one is looked for no longer. */
const mostPasses = 8

/** The tries, and the pause between them, while upkeep writes what an answer is for. */
const tries = 50
const pauseMs = 100

/** The user whose memory is read, and the bounds of it. */
interface Owner extends PendingPartition {
  readonly readings: ReadingsBounds
}

/** What a piece of work came to: a request that waits for an answer, or its end. */
type Reached = Unanswered | 'changed' | 'ended' | 'busy'

/** Hands out readings of one user's memory, and takes their answers. */
export class Readings {
  readonly #here: WorkingHere
  readonly #seal: ReadingSeal
  /** Stands for the fence's mark while requests are compared. Nobody is shown it. */
  readonly #mark: string
  readonly #cutShort: CutShort
  #unused = false

  constructor(here: WorkingHere) {
    this.#here = here
    this.#seal = new ReadingSeal(here.key)
    this.#mark = markOf(here.key, '')
    this.#cutShort = here.keep(CutShort, () => new CutShort())
  }

  async next(partition: PartitionId, model: string): Promise<NextReading> {
    const owner = await this.#here.read(ownerOf(partition))
    if (typeof owner === 'string') return none(owner)
    const { models } = this.#here.host
    // What a configured model could not write now is put off until it can.
    if (models.distil !== undefined) return none('model')
    let refusal: NoReading = 'nothing'
    for (const kind of ['unread', 'provisional', 'lacking'] as const) {
      const now = this.#here.now
      const due = await this.#here.read(dueWithin(kind, dueBounds('asked', now, now, this.#here.host.layers), { partition }))
      for (const { id } of due) {
        const found = await this.#fromPiece(owner, await this.#session(id, owner), model)
        if (found === undefined) continue
        if (typeof found !== 'string') return handed(found)
        if (found !== 'session') return none(found)
        refusal = found
      }
    }
    const found = models.edit !== undefined ? undefined : await this.#fromDocuments(owner, model)
    if (found === undefined) return none(refusal)
    return typeof found === 'string' ? none(found) : handed(found)
  }

  async done(partition: PartitionId, id: string, { object, outcome, tokens }: HostText): Promise<DoneReading> {
    const place = this.#seal.opened(id)
    const own = await this.#here.read(findPartition(partition))
    const reading = place === undefined || own?.id !== place.partition ? undefined : await this.#here.read(handedReading(place.row, own.id))
    if (place === undefined || reading === undefined) throw new NotFound({ kind: 'reading', id })
    if (reading === 'over') return told('stale')
    const end = (ended: CallOutcome): Promise<void> =>
      this.#here.means.write.endHanded(place.row, reading.piece?.ref, {
        outcome: ended,
        inputTokens: reading.tokens,
        outputTokens: tokens,
        ms: Math.max(0, this.#here.now - reading.beganAt),
      })
    const { piece } = reading
    if (piece === undefined) {
      await end('late')
      return told('stale')
    }
    const owner = await this.#here.read(ownerOf(partition))
    if (typeof owner === 'string') {
      await end('cancelled')
      return told('off')
    }
    const answer = { hash: place.hash, object, isAgain: reading.isAgain }
    const reached = await this.#answered(owner, piece, reading.model, answer)
    if (reached === undefined) {
      await end('late')
      return told('stale')
    }
    await end(outcome)
    if (!(reached instanceof Unanswered) || reached.asked.isAgain !== true) return told(this.#unused ? 'unused' : 'stored')
    const again = await this.#again(owner, piece, reading.model, { asked: reached, after: place.row })
    return again === undefined ? told('unused') : { ...told('again'), reading: again }
  }

  /** Does a piece of work with an answer. Undefined when the answer is for another state of it. */
  async #answered(owner: Owner, piece: HandedPiece, model: string, answer: HostAnswer): Promise<Reached | undefined> {
    const host = new HostModel(model, (asked) => this.#hashOf(asked), answer)
    for (let tried = 0; tried < tries; tried += 1) {
      const reached = await this.#work(owner, piece, host, answer.isAgain)
      // A pass over documents that asks for more than was answered could not store the answer.
      const isLost = piece.ref < 0 && reached instanceof Unanswered && reached.asked.isAgain !== true
      if (reached !== 'busy') return reached === 'changed' || !host.isSpent || isLost ? undefined : reached
      if (this.#here.signal.aborted) throw new Cancelled({ operation: 'readings.done' })
      await pause(pauseMs)
    }
    throw new StoreBusy({ store: 'this session' })
  }

  /** Hands out the parts of an answer that could not be used, by themselves. The same lease goes on. */
  async #again(
    owner: Owner,
    piece: HandedPiece,
    model: string,
    { asked, after }: { readonly asked: Unanswered; readonly after: number },
  ): Promise<DueReading | undefined> {
    const plain = await this.#work(owner, piece, this.#host(model))
    if (!(plain instanceof Unanswered) || plain.about.layers !== asked.about.layers) return undefined
    const out = await this.#handOut(owner, piece, { asked, hash: this.#hashOf(plain.asked), model, after })
    return typeof out === 'string' ? undefined : out
  }

  async #session(ref: number, { partition }: Owner): Promise<HandedPiece | undefined> {
    const row = await this.#here.read(sessionRowById(partition, ref))
    return row === undefined ? undefined : { ref, partition, upTo: row.seq }
  }

  /** Looks for a request in a piece of work. Undefined when there is none, or another has the piece. */
  async #fromPiece(owner: Owner, piece: HandedPiece | undefined, model: string): Promise<DueReading | NoReading | undefined> {
    if (piece === undefined || (await this.#here.read(isHanded(piece.ref, this.#here.now)))) return undefined
    const host = this.#host(`host:${model}`)
    const reached = await this.#work(owner, piece, host)
    if (!(reached instanceof Unanswered)) return undefined
    const out = await this.#handOut(owner, piece, { asked: reached, hash: this.#hashOf(reached.asked), model: host.name })
    return out === 'held' ? undefined : out
  }

  async #fromDocuments(owner: Owner, model: string): Promise<DueReading | NoReading | undefined> {
    for (let pass = 0; pass < mostPasses; pass += 1) {
      if ((await this.#here.read(pendingPageFacts(owner.partition, 1))).length === 0) return undefined
      const found = await this.#fromPiece(owner, { ref: -owner.partition, partition: owner.partition, upTo: 0 }, model)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Does a piece of work as far as a model's answers reach. What is complete is stored. */
  async #work(owner: Owner, piece: HandedPiece, host: HostModel, isAgain = false): Promise<Reached> {
    const { write } = this.#here.means
    const [kind, ref] = piece.ref < 0 ? (['documents', -piece.ref] as const) : (['session', piece.ref] as const)
    const holder = `readings/${uuidv7(this.#here.now)}`
    const attempts = await write.claim(kind, { ref, partition: piece.partition }, holder)
    if (attempts === undefined)
      return kind === 'session' && (await this.#here.read(sessionRowById(piece.partition, ref))) === undefined ? 'ended' : 'busy'
    const means = { ...this.#here.means, mark: this.#mark }
    const { signal, host: ours } = this.#here
    const limits: Limits = { until: Infinity, calls: Infinity, signal, isAgain, unused: () => (this.#unused = true) }
    try {
      if (kind === 'session') {
        const distiller = new Distiller(means, host, ours.layers, this.#cutShort)
        return (await distiller.distil({ partition: piece.partition, session: ref }, holder, { ...limits, upTo: piece.upTo })) === 'stale'
          ? 'changed'
          : 'ended'
      }
      // One request: a pass of several documents is stored once all of them are edited.
      const { facts } = await new Documenter(means, host, ours.embedding).workIn(owner, holder, attempts, { ...limits, calls: 1 })
      return facts === 0 ? 'changed' : 'ended'
    } catch (error) {
      if (error instanceof Unanswered) return error
      if (error instanceof RequestChanged) return 'changed'
      throw error
    } finally {
      await write.release(kind, ref, holder, {})
    }
  }

  async #handOut(
    { readings, partition }: Owner,
    piece: HandedPiece,
    { asked: { asked, about }, hash, model, after }: { asked: Unanswered; hash: string; model: string; after?: number },
  ): Promise<DueReading | HandRefusal> {
    const { project, task, layers, ceiling } = about
    const row = await this.#here.means.write.handOut({
      piece,
      call: { project, task, layers, model, tokens: asked.tokens },
      isAgain: after !== undefined,
      ceiling,
      bounds: readings,
      after,
    })
    if (typeof row !== 'number') return row
    const { instructions, prompt, schema, tokens, maxOutputTokens } = this.#shown(asked)
    const expiresAt = this.#here.means.clock.now() + leaseMs
    const id = this.#seal.sealed({ row, partition, hash })
    return { id, task, layers: allLayersIn(layers), instructions, prompt, schema, tokens, maxOutputTokens, expiresAt }
  }

  #host(name: string): HostModel {
    return new HostModel(name, (asked) => this.#hashOf(asked))
  }

  /** Hashes a request without the attributes that it shows: what is said elsewhere meanwhile makes no answer useless. */
  #hashOf({ instructions, prompt, schema }: SizedPrompt): string {
    return this.#seal.hash([instructions, prompt.replace(/^\[known\] .*\n/m, ''), JSON.stringify(schema)])
  }

  /** Gives a request the mark of its content: no text in it can know that. */
  #shown(asked: SizedPrompt): SizedPrompt {
    const mark = contentMark(this.#here.key, asked.instructions + asked.prompt)
    const marked = (text: string): string => text.replaceAll(this.#mark, mark)
    return { ...asked, instructions: marked(asked.instructions), prompt: marked(asked.prompt) }
  }
}

function* ownerOf(partition: PartitionId): Program<Owner | 'off' | 'nothing'> {
  const settings = JSON.stringify(yield* projectSettings(partition.project))
  const row = yield* findPartition(partition)
  const { readings } = settingsOf(settings)
  if (readings === undefined) return 'off'
  return row === undefined ? 'nothing' : { partition: row.id, project: row.project_id, name: partition.project, settings, readings }
}

const noneTold: Readonly<Record<NoReading, string>> = {
  off: 'Readings are off in this project. Its setting `readings` switches them on.',
  model: 'A language model is configured, and writes what is due.',
  nothing: 'Nothing is due to be read now.',
  session: 'What is due is of sessions that reached their readings of today (`readings.perSession`).',
  day: 'The readings of today are used up (`readings.perDay`).',
  ceiling: 'The project’s ceiling of calls or tokens is met for today.',
}

function none(reason: NoReading): NextReading {
  return { none: reason, about: noneTold[reason] }
}

function handed(reading: DueReading): NextReading {
  return { reading, about: 'Answer with one JSON object of the schema, by the instructions, and give it to `readings.done` with the id.' }
}

const doneTold: Readonly<Record<DoneReading['outcome'], string>> = {
  stored: 'The answer is stored.',
  again: 'The usable parts of the answer are stored, if it has any. `reading` asks for the others alone, once.',
  unused: 'A part of the answer could not be used. What was written without a model serves in its place.',
  stale: 'Nothing of the answer was used: what it was read from changed, it was answered already, or another has it.',
  off: 'Nothing of the answer was used: readings were switched off.',
}

function told(outcome: DoneReading['outcome']): DoneReading {
  return { outcome, about: doneTold[outcome] }
}
