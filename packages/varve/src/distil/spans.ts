import { messagesBetween } from '../storage/log/messages.ts'
import { wantedOfSession } from '../storage/derived/reading.ts'
import type { NewPart } from '../storage/derived/parts.ts'
import { bitOf, layersIn } from '../storage/layers.ts'
import type { SourceMessage } from '../models/writer.ts'
import { redact } from '../redaction/redact.ts'
import type { ParsedSpan, SpanOf, Written } from './span-of.ts'
import { type DistilStore, languageOf, promptMark, sized, withoutSecrets, writerIn } from './distil-store.ts'
import { type ReadingGround, knownFacts } from './known-facts.ts'
import type { Asked } from './asked-model.ts'
import { checkDocuments } from './prompts/check-documents.ts'
import { checkFacts } from './prompts/check-facts.ts'
import { documentsTask } from './prompts/documents-task.ts'
import { factsTask } from './prompts/facts-task.ts'
import { parseSpan } from './prompts/parse-span.ts'
import type { Problem } from './prompts/problem.ts'
import { retryPrompt } from './prompts/retry-prompt.ts'
import { spanPrompt } from './prompts/span-prompt.ts'
import { type ReadingOptions, readSession, type SessionReading } from './session-reading.ts'
import { settingsOf } from './settings.ts'
import { spanOf, spanWithVectors } from './span.ts'
import { subjectsPart } from './subject-facts.ts'
import { extractParts, factsPart, newPart, readableFor, textLayersIn } from './write-parts.ts'

/** Reads spans of messages: what a model is asked about them, what of its answer can be used, and what is written without one. */
export class Spans {
  readonly #store: DistilStore

  constructor(store: DistilStore) {
    this.#store = store
  }

  reading(id: number, options: ReadingOptions): Promise<SessionReading | undefined> {
    return this.#store.read(readSession(id, options))
  }

  async ask(span: SpanOf, problem?: Problem): Promise<Asked | undefined> {
    const layers = layersIn(span.layers)
    const messages = await withoutSecrets(await this.#messages(span))
    // What is shared rests on a person's words: without one there is nothing to ask.
    if (layers.every((layer) => readableFor(layer === 'facts' || layer === 'documents' ? 'shared' : layer, messages).length === 0))
      return undefined
    const prompt = spanPrompt(messages, layers.includes('shared') ? ['shared'] : layers.filter((layer) => layer !== 'shared'), {
      mark: promptMark(this.#store),
    })
    return sized(problem === undefined ? prompt : retryPrompt(prompt, problem))
  }

  async parse(span: SpanOf, object: Readonly<Record<string, unknown>>, written: Written): Promise<ParsedSpan> {
    const messages = await withoutSecrets(await this.#messages(span))
    const parsed = parseSpan(object, textLayersIn(span.layers), messages)
    const parts: NewPart[] = []
    const bad: { layer: number; problem: Problem }[] = []
    const ground = (span.layers & (bitOf('facts') | bitOf('documents'))) === 0 ? undefined : await this.#readingGround(span, written)
    const speakers = ground !== undefined && messages.some(({ name }) => name !== undefined) ? [ground.label] : []
    if (ground !== undefined && (span.layers & bitOf('facts')) !== 0) {
      const checked = checkFacts(object[factsTask.key], messages, speakers)
      if ('problem' in checked) bad.push({ layer: bitOf('facts'), problem: checked.problem })
      else parts.push(factsPart(span.chunk, knownFacts(checked.facts, checked.refused, ground), written))
    }
    if (ground !== undefined && (span.layers & bitOf('documents')) !== 0) {
      const checked = checkDocuments(object[documentsTask.key], messages, speakers)
      if ('problem' in checked) bad.push({ layer: bitOf('documents'), problem: checked.problem })
      else parts.push(subjectsPart(span.chunk, checked, ground, written))
    }
    for (const [layer, part] of parsed) {
      if ('problem' in part) bad.push({ layer: bitOf(layer), problem: part.problem })
      else parts.push(newPart(span.chunk, layer, part.sentences, written))
    }
    return { parts: await this.#withheld(span, parts), bad }
  }

  async extract(span: SpanOf, written: Written): Promise<NewPart[]> {
    const { session, name, chunk, maxTokens } = span
    const messages = await this.#store.read(spanWithVectors({ id: session, external_id: name }, chunk.from, chunk.to, maxTokens))
    const writer = writerIn(await languageOf(this.#store, span.session))
    const parts = extractParts(writer, messages, { ...span, layers: span.layers & ~bitOf('shared') }, written)
    if ((span.layers & (bitOf('shared') | bitOf('facts') | bitOf('documents'))) === 0) return parts
    const harmless = await withoutSecrets(messages)
    if ((span.layers & bitOf('facts')) !== 0)
      parts.push(factsPart(chunk, knownFacts(writer.facts(harmless), 0, await this.#readingGround(span, written)), written))
    if ((span.layers & bitOf('documents')) !== 0)
      parts.push(subjectsPart(chunk, { facts: writer.subjects(harmless), refused: 0 }, await this.#readingGround(span, written), written))
    return this.#withheld(span, [...parts, ...extractParts(writer, harmless, { ...span, layers: span.layers & bitOf('shared') }, written)])
  }

  /** Parts that are shared, with the places of the messages that hold a secret: whole messages, whatever a writer was shown of them. */
  async #withheld({ session, name, chunk }: SpanOf, parts: NewPart[]): Promise<NewPart[]> {
    if (!parts.some(({ layer }) => layer === bitOf('shared'))) return parts
    const messages = await this.#store.read(messagesBetween({ id: session, external_id: name }, chunk.from, chunk.to))
    const { texts } = await redact(messages.map(({ content }) => content))
    const withheld = messages.flatMap(({ seq, content }, at) => (texts[at] === content ? [] : [seq]))
    return parts.map((part) => (part.layer === bitOf('shared') ? { ...part, withheld } : part))
  }

  /** What statements of a span are read against. */
  async #readingGround({ session, name, chunk }: SpanOf, { writer }: Written): Promise<ReadingGround & { owner: string }> {
    const { owner, settings } = await this.#store.read(wantedOfSession(session, 0))
    return {
      messages: await this.#store.read(messagesBetween({ id: session, external_id: name }, chunk.from, chunk.to)),
      session,
      label: owner === '' ? 'user' : owner,
      owner,
      timeZone: settingsOf(settings).timeZone,
      language: await languageOf(this.#store, session),
      writer,
    }
  }

  #messages({ session, name, chunk, layers, maxTokens }: SpanOf): Promise<readonly SourceMessage[]> {
    const from = layers === bitOf('documents') ? (chunk.documentsFrom ?? chunk.from) : chunk.from
    return this.#store.read(spanOf({ id: session, external_id: name }, from, chunk.to, maxTokens))
  }
}
