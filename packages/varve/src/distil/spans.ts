import type { PlacedSession } from '../storage/derived/parts.ts'
import type { SessionTable } from '../storage/schema.ts'
import { readLayersIn } from '../layers/all.ts'
import type { ReadLayer } from '../layers/layer.ts'
import type { SourceMessage } from '../models/writer.ts'
import { type RedactionSet, redact } from '../redaction/redact.ts'
import type { NewPart } from '../storage/derived/part-stores.ts'
import { wantedOfSession } from '../storage/derived/reading.ts'
import { sharedBits } from '../storage/layers.ts'
import { messagesBetween } from '../storage/log/messages.ts'
import type { SizedPrompt } from './asked-model.ts'
import { type DistilStore, languageOf, promptMark, shareable, sized, withoutSecrets, writerIn } from './distil-store.ts'
import type { ReadSpan, SpanSession, Written } from '../tasks/parts/read-span.ts'
import { sharedAnswersTask, sharedBulletsTask } from '../tasks/text-tasks.ts'
import { shownAttributes } from '../tasks/known-attributes.ts'
import { retryPrompt } from '../tasks/retry-prompt.ts'
import { spanPrompt } from '../tasks/span-prompt.ts'
import { knownAttributes } from './known-attributes.ts'
import { datedParts } from './dated/dated-parts.ts'
import { type ReadingOptions, readSession, type SessionReading } from './session-reading.ts'
import { settingsOf } from './settings.ts'
import { spanOf, spanWithVectors } from './span.ts'
import type { BadPart, ParsedSpan, SpanOf } from './span-of.ts'

/** Reads spans of messages: makes the requests to a model, reads its answers, and writes without a model. */
export class Spans {
  readonly #store: DistilStore

  constructor(store: DistilStore) {
    this.#store = store
  }

  reading(session: PlacedSession, options: ReadingOptions): Promise<SessionReading | undefined> {
    return this.#store.read(readSession(session, options))
  }

  /** Adds the attributes that the model will see: they are checked against the answer, whatever is forgotten meanwhile. */
  async withAttributes(span: SpanOf, now: number): Promise<SpanOf> {
    if (!readLayersIn(span.layers).some(({ reading }) => reading.seesAttributes === true)) return span
    const found = await this.#store.read(knownAttributes(span, now))
    const { texts } = await redact(found, 'model')
    return { ...span, attributes: shownAttributes(found.filter((one, place) => texts[place] === one)) }
  }

  /** Makes the request about a span; with bad parts of an answer, the one that asks for them anew. */
  async ask(span: SpanOf, bad: readonly BadPart[] = []): Promise<SizedPrompt | undefined> {
    const layers = readLayersIn(span.layers)
    const messages = await this.#withAnswers(span, await withoutSecrets(await this.#messages(span), setOf(layers)))
    if (layers.every((layer) => !isReadable(layer, messages))) return undefined
    // Layers that a project shares are asked by themselves: nothing private leaks into them.
    const shared = layers.filter(({ isShared }) => isShared)
    const hasAnswers = messages.some(({ isShared: isAnswer }) => isAnswer === true)
    const tasks = shared.length > 0 ? [hasAnswers ? sharedAnswersTask : sharedBulletsTask] : layers.map(({ reading }) => reading.task)
    const freshFrom = new Map(layers.flatMap(({ bit, reading }) => freshIn(span, messages, bit).map((from) => [reading.task.key, from])))
    const prompt = spanPrompt(messages, tasks, { mark: promptMark(this.#store), attributes: span.attributes ?? [], freshFrom })
    return bad.length === 0 ? sized(prompt) : sized(retryPrompt(prompt, told(bad)), true)
  }

  async parse(span: SpanOf, object: Readonly<Record<string, unknown>>, written: Written): Promise<ParsedSpan> {
    const layers = readLayersIn(span.layers)
    const messages = await this.#withAnswers(span, await withoutSecrets(await this.#messages(span), setOf(layers)))
    const read = this.#readSpan(span, messages, written)
    const language = await languageOf(this.#store, span)
    const writer = writerIn(language)
    const parts: NewPart[] = []
    const bad: BadPart[] = []
    for (const { bit, reading } of layers) {
      const from = span.chunk.freshFrom?.get(bit) ?? 0
      const fresh = { ...read, messages: read.messages.filter(({ seq }) => seq >= from) }
      const part = await reading.check(object[reading.task.key], fresh, writer)
      if ('problem' in part) bad.push({ layer: bit, problem: part.problem })
      else parts.push(part)
    }
    return { parts: await this.#finished(span, parts, messages, language), bad }
  }

  async extract(span: SpanOf, written: Written): Promise<NewPart[]> {
    const { chunk, maxTokens } = span
    const messages = await this.#withAnswers(span, await this.#store.read(spanWithVectors(rowOf(span), chunk.from, chunk.to, maxTokens)))
    const language = await languageOf(this.#store, span)
    const writer = writerIn(language)
    const layers = readLayersIn(span.layers)
    const read = this.#readSpan(span, messages, written)
    const seenBy = seenOf(messages)
    const parts: NewPart[] = []
    for (const layer of layers) parts.push(await layer.reading.extract(writer, { ...read, messages: await seenBy(layer) }))
    return this.#finished(span, parts, messages, language)
  }

  /** Finishes parts, whoever wrote them: dates their times, and takes secrets out of what is shared. */
  #finished(span: SpanOf, parts: readonly NewPart[], messages: readonly SourceMessage[], language: string): Promise<NewPart[]> {
    return this.#shareable(span, datedParts(parts, messages, { calendar: span.calendar, language }))
  }

  /** Marks the assistant's answers that a shared layer may state: what was said and recorded since the project shares them. */
  async #withAnswers(span: SpanOf, messages: readonly SourceMessage[]): Promise<readonly SourceMessage[]> {
    const { partition, session, chunk, layers } = span
    if ((layers & sharedBits) === 0 || !messages.some(({ origin }) => origin === 'assistant')) return messages
    const since = (await this.#store.read(wantedOfSession(partition, session, 0)))?.answersSince
    if (typeof since !== 'number') return messages
    const stored = await this.#store.read(messagesBetween(rowOf(span), chunk.from, chunk.to))
    const answers = new Set(stored.flatMap(({ seq, at, recordedAt }) => (at > since && recordedAt > since ? [seq] : [])))
    return messages.map((message) =>
      message.origin === 'assistant' && message.role === 'assistant' && answers.has(message.seq) ? { ...message, isShared: true } : message,
    )
  }

  /**
   * Takes secrets out of shared parts, and adds the places of the messages that hold one, in their words or in their
   * speaker's name. Whole messages are checked, whatever part of them the writer was shown.
   */
  async #shareable(span: SpanOf, parts: NewPart[]): Promise<NewPart[]> {
    if (!parts.some(isShared)) return parts
    const { chunk } = span
    const messages = await this.#store.read(messagesBetween(rowOf(span), chunk.from, chunk.to))
    const whole = messages.map(({ name = '', content }) => `${name}\n\n${content}`)
    const { texts } = await redact(whole, 'shared')
    const withheld = messages.flatMap(({ seq }, at) => (texts[at] === whole[at] ? [] : [seq]))
    return Promise.all(
      parts.map(async (part) => (isShared(part) ? { ...part, sentences: await shareable(part.sentences), withheld } : part)),
    )
  }

  #readSpan(span: SpanOf, messages: readonly SourceMessage[], written: Written): ReadSpan {
    let stored: Promise<SpanSession> | undefined
    return {
      chunk: span.chunk,
      messages,
      written,
      attributes: span.attributes ?? [],
      stored: () => (stored ??= this.#stored(span, written)),
    }
  }

  async #stored(span: SpanOf, { writer }: Written): Promise<SpanSession> {
    const { partition, session, chunk } = span
    // A session that was forgotten meanwhile has no message either: nothing of what is read here will be stored.
    const { owner = '', settings = '{}' } = (await this.#store.read(wantedOfSession(partition, session, 0))) ?? {}
    const { timeZone, hemisphere } = settingsOf(settings)
    return {
      messages: await this.#store.read(messagesBetween(rowOf(span), chunk.from, chunk.to)),
      session,
      label: owner === '' ? 'user' : owner,
      owner,
      timeZone,
      hemisphere,
      language: await languageOf(this.#store, span),
      writer,
    }
  }

  #messages(span: SpanOf): Promise<readonly SourceMessage[]> {
    const { chunk, layers, maxTokens } = span
    const from = Math.min(...readLayersIn(layers).map(({ bit }) => chunk.freshFrom?.get(bit) ?? chunk.from))
    return this.#store.read(spanOf(rowOf(span), from, chunk.to, maxTokens))
  }
}

/** Gives the first message that a layer reads of a span, where it read others of it before. */
function rowOf({ partition, session, name }: SpanOf): Pick<SessionTable, 'id' | 'partition_id' | 'external_id'> {
  return { id: session, partition_id: partition, external_id: name }
}

function freshIn({ chunk }: SpanOf, messages: readonly SourceMessage[], layer: number): number[] {
  const from = chunk.freshFrom?.get(layer)
  return from === undefined || messages.every(({ seq }) => seq >= from) ? [] : [from]
}

/** Tells the problems of bad parts: each under its name when there are several. */
function told(bad: readonly BadPart[]): string {
  const [only] = bad
  if (only !== undefined && bad.length === 1) return only.problem
  return bad.flatMap(({ layer, problem }) => readLayersIn(layer).map(({ reading }) => `"${reading.task.key}": ${problem}`)).join('; ')
}

/** Tells whether a layer has something to read in some messages. */
function isReadable({ reading }: ReadLayer, messages: readonly SourceMessage[]): boolean {
  return reading.personsOnly
    ? messages.some(({ origin, isShared: isAnswer }) => origin === 'person' || isAnswer === true)
    : messages.length > 0
}

/** Gives the messages that a layer sees. Those that see the same get the same list: what is read of it for one serves the others. */
function seenOf(messages: readonly SourceMessage[]): (layer: ReadLayer) => Promise<readonly SourceMessage[]> {
  const harmless = new Map<RedactionSet, Promise<readonly SourceMessage[]>>()
  return (layer) => {
    if (layer.reading.seesSecrets) return Promise.resolve(messages)
    const set = setOf([layer])
    const seen = harmless.get(set) ?? withoutSecrets(messages, set)
    harmless.set(set, seen)
    return seen
  }
}

/** Layers that a project shares are asked by themselves, and see the least. */
function setOf(layers: readonly ReadLayer[]): RedactionSet {
  return layers.some((layer) => layer.isShared) ? 'shared' : 'model'
}

function isShared({ layer }: NewPart): boolean {
  return (layer & sharedBits) !== 0
}
