import type { PlacedSession } from '../storage/derived/parts.ts'
import { readLayersIn } from '../layers/all.ts'
import type { ReadLayer } from '../layers/layer.ts'
import type { SourceMessage } from '../models/writer.ts'
import { type RedactionSet, redact } from '../redaction/redact.ts'
import type { NewPart } from '../storage/derived/part-stores.ts'
import { sharedBits } from '../storage/layers.ts'
import type { SizedPrompt } from './asked-model.ts'
import { type DistilStore, promptMark, shareable, sized, withoutSecrets, writerIn } from './distil-store.ts'
import type { ReadSpan, Written } from '../tasks/parts/read-span.ts'
import { sharedAnswersTask, sharedBulletsTask } from '../tasks/text-tasks.ts'
import { shownAttributes } from '../tasks/known-attributes.ts'
import { retryPrompt } from '../tasks/retry-prompt.ts'
import { spanPrompt } from '../tasks/span-prompt.ts'
import { knownAttributes } from './known-attributes.ts'
import { datedParts } from './dated/dated-parts.ts'
import { type ReadingOptions, readSession, type SessionReading } from './session-reading.ts'
import { settingsOf } from './settings.ts'
import { type SpanMaterial, spanMaterial } from './span.ts'
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
    const material = await this.#material(span, freshOf(span))
    const messages = withAnswers(span, material, await withoutSecrets(material.messages, setOf(layers)))
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
    const material = await this.#material(span, span.chunk.from)
    const first = freshOf(span)
    const seen = material.messages.filter(({ seq }) => seq >= first)
    const messages = withAnswers(span, material, await withoutSecrets(seen, setOf(layers)))
    const read = readSpanOf(span, material, messages, written)
    const writer = writerIn(material.language)
    const parts: NewPart[] = []
    const bad: BadPart[] = []
    for (const { bit, reading } of layers) {
      const from = span.chunk.freshFrom?.get(bit) ?? 0
      const fresh = { ...read, messages: read.messages.filter(({ seq }) => seq >= from) }
      const part = await reading.check(object[reading.task.key], fresh, writer)
      if ('problem' in part) bad.push({ layer: bit, problem: part.problem })
      else parts.push(part)
    }
    return { parts: await finished(span, parts, messages, material), bad }
  }

  async extract(span: SpanOf, written: Written): Promise<NewPart[]> {
    const material = await this.#material(span, span.chunk.from, true)
    const messages = withAnswers(span, material, material.messages)
    const writer = writerIn(material.language)
    const layers = readLayersIn(span.layers)
    const read = readSpanOf(span, material, messages, written)
    const seenBy = seenOf(messages)
    const parts: NewPart[] = []
    for (const layer of layers) parts.push(await layer.reading.extract(writer, { ...read, messages: await seenBy(layer) }))
    return finished(span, parts, messages, material)
  }

  #material(span: SpanOf, from: number, withVectors = false): Promise<SpanMaterial> {
    const { partition, session, name, chunk, maxTokens } = span
    const row = { id: session, partition_id: partition, external_id: name }
    return this.#store.read(spanMaterial(row, { from, to: chunk.to }, maxTokens, withVectors))
  }
}

/** Finishes parts, whoever wrote them: dates their times, and takes secrets out of what is shared. */
function finished(
  span: SpanOf,
  parts: readonly NewPart[],
  messages: readonly SourceMessage[],
  { language, stored }: SpanMaterial,
): Promise<NewPart[]> {
  return withoutSharedSecrets(datedParts(parts, messages, { calendar: span.calendar, language }), stored)
}

/** Marks the assistant's answers that a shared layer may state: what was said and recorded since the project shares them. */
function withAnswers(
  { layers }: SpanOf,
  { stored, answersSince: since }: SpanMaterial,
  messages: readonly SourceMessage[],
): readonly SourceMessage[] {
  if ((layers & sharedBits) === 0 || since === null) return messages
  const answers = new Set(stored.flatMap(({ seq, at, recordedAt }) => (at > since && recordedAt > since ? [seq] : [])))
  return messages.map((message) =>
    message.origin === 'assistant' && message.role === 'assistant' && answers.has(message.seq) ? { ...message, isShared: true } : message,
  )
}

/**
 * Takes secrets out of shared parts, and adds the places of the messages that hold one, in their words or in their
 * speaker's name. Whole messages are checked, whatever part of them the writer was shown.
 */
async function withoutSharedSecrets(parts: NewPart[], stored: SpanMaterial['stored']): Promise<NewPart[]> {
  if (!parts.some(isShared)) return parts
  const whole = stored.map(({ name = '', content }) => `${name}\n\n${content}`)
  const { texts } = await redact(whole, 'shared')
  const withheld = stored.flatMap(({ seq }, at) => (texts[at] === whole[at] ? [] : [seq]))
  return Promise.all(parts.map(async (part) => (isShared(part) ? { ...part, sentences: await shareable(part.sentences), withheld } : part)))
}

function readSpanOf(
  { session, chunk, attributes = [] }: SpanOf,
  { stored, owner, settings, language }: SpanMaterial,
  messages: readonly SourceMessage[],
  written: Written,
): ReadSpan {
  const { timeZone, hemisphere } = settingsOf(settings)
  const label = owner === '' ? 'user' : owner
  const { writer } = written
  return {
    ...{ chunk, messages, written, attributes },
    stored: { messages: stored, session, label, owner, timeZone, hemisphere, language, writer },
  }
}

/** Gives the first message of a span that a layer of it reads. */
function freshOf({ chunk, layers }: SpanOf): number {
  return Math.min(...readLayersIn(layers).map(({ bit }) => chunk.freshFrom?.get(bit) ?? chunk.from))
}

/** Gives the first message that a layer reads of a span, where it read others of it before. */
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
