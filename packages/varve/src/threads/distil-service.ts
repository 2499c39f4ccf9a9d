import { randomBytes } from 'node:crypto'
import { periodOfPath } from '../bank/path.ts'
import { type Outline, type OutlinePart, outlines, type Outlines } from '../distil/compose.ts'
import { composeDigest } from '../distil/compose-digest.ts'
import { composeItem } from '../distil/compose-item.ts'
import { KeptNodes } from '../bank/kept-nodes.ts'
import { type DraftedNotes, fittedNotes, longIn, notedMessages, type NotesReading, readForNotes, writtenNotes } from '../distil/notes-reading.ts'
import { checkNotes } from '../distil/prompts/check-notes.ts'
import { condensePrompt, notesPrompt, retryNotesPrompt } from '../distil/prompts/notes-prompt.ts'
import { extractiveNotesWriter } from '../models/extractive/notes/notes-writer.ts'
import type { RefusedCall } from '../notes/edit.ts'
import type { FailedEdit } from '../distil/document-tasks.ts'
import { type DocumentEdit, documentEdits, extractEdits, type PendingSubject, pendingSubjects } from '../distil/pending-documents.ts'
import { editorPrompt, editorRetry } from '../distil/prompts/editor-prompt.ts'
import { type EditOutcome, parseEdits } from '../distil/prompts/parse-edits.ts'
import type { DocumentWrite } from '../documents/work-in.ts'
import { digestOutlines } from '../distil/digest-reading.ts'
import type { DigestOutline } from '../distil/digest-tasks.ts'
import type { ParsedSpan, SpanOf, Written } from '../distil/distil-tasks.ts'
import { type DigestChild, digestPrompt } from '../distil/prompts/digest-prompt.ts'
import { fusePrompt } from '../distil/prompts/fuse-prompt.ts'
import { parseSpan } from '../distil/prompts/parse-span.ts'
import { parseDigest, parseFused } from '../distil/prompts/parse-whole.ts'
import type { Parsed, Problem } from '../distil/prompts/problem.ts'
import { type Prompt, tokensOf } from '../distil/prompts/prompt.ts'
import { retryPrompt } from '../distil/prompts/retry-prompt.ts'
import { spanPrompt } from '../distil/prompts/span-prompt.ts'
import type { Asked } from '../distil/model-calls.ts'
import { type ReadingOptions, readSession, type SessionReading } from '../distil/session-reading.ts'
import { spanOf, spanWithVectors } from '../distil/span.ts'
import { type ReadingGround, knownFacts } from '../distil/known-facts.ts'
import { subjectsPart } from '../distil/subject-facts.ts'
import { checkDocuments } from '../distil/prompts/check-documents.ts'
import { documentsTask } from '../distil/prompts/documents-task.ts'
import { checkFacts } from '../distil/prompts/check-facts.ts'
import { factsTask } from '../distil/prompts/facts-task.ts'
import type { TextLayer } from '../distil/prompts/layers.ts'
import { settingsOf } from '../distil/settings.ts'
import { extractFusion, extractParts, factsPart, newPart, readableFor, textLayersIn } from '../distil/write-parts.ts'
import { contentTerms } from '../index/content-terms.ts'
import { markOf } from '../messages/fence.ts'
import { extractiveWriter } from '../models/extractive/extractive-writer.ts'
import type { DigestBullet, ExtractiveWriter, Sentence, SourceMessage } from '../models/writer.ts'
import { redact } from '../redaction/redact.ts'
import type { DueBank } from '../storage/derived/banks.ts'
import type { Composed, NewDigest } from '../storage/derived/distilled.ts'
import { layerBits, layersIn } from '../storage/layers.ts'
import { messagesBetween } from '../storage/log/messages.ts'
import type { NewPart } from '../storage/derived/parts.ts'
import type { Program } from '../storage/program.ts'
import { wantedOfSession } from '../storage/derived/reading.ts'
import { bankLanguage, sessionRowById } from '../storage/log/sessions.ts'
import { classify } from '../storage/sqlite/classify.ts'
import type { Connection } from '../storage/sqlite/connection.ts'
import { executeRead } from '../storage/sqlite/execute.ts'

/** Tokens that a writer of notes reads of one message, at most. */
const noteTokens = 4_000

/** What the distilling thread offers: it reads spans of messages, writes prompts, reads answers, and writes by itself where there is no model. Changes nothing. */
export class DistilService {
  readonly #connection: () => Connection
  readonly #file: string
  readonly #key: string
  readonly #kept = new KeptNodes()

  constructor(connection: () => Connection, file: string, key: string) {
    this.#connection = connection
    this.#file = file
    this.#key = key
  }

  readSession(id: number, options: ReadingOptions): SessionReading | undefined {
    return this.#run(readSession(id, options))
  }

  async askSpan(span: SpanOf, problem?: Problem): Promise<Asked | undefined> {
    const layers = layersIn(span.layers)
    const messages = await withoutSecrets(this.#messages(span))
    // What is shared rests on a person's words: without one there is nothing to ask.
    if (layers.every((layer) => readableFor(layer === 'facts' || layer === 'documents' ? 'shared' : layer, messages).length === 0)) return undefined
    const prompt = spanPrompt(messages, layers.includes('shared') ? ['shared'] : layers.filter((layer) => layer !== 'shared'), { mark: this.#mark() })
    return sized(problem === undefined ? prompt : retryPrompt(prompt, problem))
  }

  async parseSpan(span: SpanOf, object: Readonly<Record<string, unknown>>, written: Written): Promise<ParsedSpan> {
    const messages = await withoutSecrets(this.#messages(span))
    const parsed = parseSpan(object, textLayersIn(span.layers), messages)
    const parts: NewPart[] = []
    const bad: { layer: number; problem: Problem }[] = []
    const ground = (span.layers & (layerBits.facts | layerBits.documents)) === 0 ? undefined : this.#readingGround(span, written)
    const speakers = ground !== undefined && messages.some(({ name }) => name !== undefined) ? [ground.label] : []
    if (ground !== undefined && (span.layers & layerBits.facts) !== 0) {
      const checked = checkFacts(object[factsTask.key], messages, speakers)
      if ('problem' in checked) bad.push({ layer: layerBits.facts, problem: checked.problem })
      else parts.push(factsPart(span.chunk, knownFacts(checked.facts, checked.refused, ground), written))
    }
    if (ground !== undefined && (span.layers & layerBits.documents) !== 0) {
      const checked = checkDocuments(object[documentsTask.key], messages, speakers)
      if ('problem' in checked) bad.push({ layer: layerBits.documents, problem: checked.problem })
      else parts.push(subjectsPart(span.chunk, checked, ground, written))
    }
    for (const [layer, part] of parsed) {
      if ('problem' in part) bad.push({ layer: layerBits[layer], problem: part.problem })
      else parts.push(newPart(span.chunk, layer, part.sentences, written))
    }
    return { parts: await this.#withheld(span, parts), bad }
  }

  async askFusion({ layer, parts }: Outline): Promise<Asked> {
    return sized(fusePrompt(await sentencesWithoutSecrets(parts), layerOf(layer), { mark: this.#mark() }))
  }

  async parseFusion({ layer, parts }: Outline, object: Readonly<Record<string, unknown>>): Promise<Parsed> {
    return parseFused(object, layerOf(layer), await sentencesWithoutSecrets(parts))
  }

  async askDigest({ children, granularity, path }: DigestOutline, maxTokens: number, problem?: Problem): Promise<Asked> {
    let entries = await entriesWithoutSecrets(children)
    for (let most = Math.max(...entries.map(({ bullets }) => bullets.length)); ; most -= 1) {
      const prompt = digestPrompt(entries, { mark: this.#mark(), granularity, period: periodOfPath(path) })
      const asked = sized(problem === undefined ? prompt : retryPrompt(prompt, problem))
      if (asked.tokens <= maxTokens || most <= 1) return asked
      entries = entries.map(({ label, bullets }) => ({ label, bullets: bullets.slice(0, most - 1) }))
    }
  }

  async parseDigest({ children, granularity, path }: DigestOutline, object: Readonly<Record<string, unknown>>) {
    const parsed = parseDigest(object, await entriesWithoutSecrets(children), { granularity, period: periodOfPath(path) })
    return 'problem' in parsed ? parsed : { bullets: parsed.sentences.map(({ text, from }) => ({ text, from: from.map((number) => number - 1) })) }
  }

  async extractSpan(span: SpanOf, written: Written): Promise<NewPart[]> {
    const { session, name, chunk, maxTokens } = span
    const messages = this.#run(spanWithVectors({ id: session, external_id: name }, chunk.from, chunk.to, maxTokens))
    const writer = writerIn(this.#language(span.session))
    const parts = extractParts(writer, messages, { ...span, layers: span.layers & ~layerBits.shared }, written)
    if ((span.layers & (layerBits.shared | layerBits.facts | layerBits.documents)) === 0) return parts
    const harmless = await withoutSecrets(messages)
    if ((span.layers & layerBits.facts) !== 0) parts.push(factsPart(chunk, knownFacts(writer.facts(harmless), 0, this.#readingGround(span, written)), written))
    if ((span.layers & layerBits.documents) !== 0) parts.push(subjectsPart(chunk, { facts: writer.subjects(harmless), refused: 0 }, this.#readingGround(span, written), written))
    return this.#withheld(span, [...parts, ...extractParts(writer, harmless, { ...span, layers: span.layers & layerBits.shared }, written)])
  }

  outlines(session: number, project: number, wanted: number, again: boolean): Outlines {
    return this.#run(outlines(session, project, wanted, again))
  }

  extractFusion({ layer, parts }: Outline, session: number): Sentence[] {
    return extractFusion(writerIn(this.#language(session)), layer, parts.map(({ sentences }) => sentences))
  }

  compose(outline: Outline, sentences: readonly Sentence[], session: number, written: Written): Composed {
    return composeItem(outline, sentences, this.#language(session), written)
  }

  digestOutlines(bank: DueBank, now: number, again: boolean): readonly DigestOutline[] {
    return this.#run(digestOutlines(this.#kept, bank, now, again))
  }

  extractDigest({ partition, children }: DigestOutline): readonly DigestBullet[] {
    const writer = writerIn(this.#run(bankLanguage(partition)))
    return writer.digest(children.map(({ bullets, conversations }) => ({ bullets: bullets.map((text) => ({ text })), weight: conversations })))
  }

  composeDigest(outline: DigestOutline, bullets: readonly DigestBullet[], written: Written): NewDigest {
    return composeDigest(outline, bullets, this.#run(bankLanguage(outline.partition)), written)
  }

  pendingSubjects(partition: number): readonly PendingSubject[] {
    return this.#run(pendingSubjects(partition))
  }

  documentEdits(partition: number, subjects: readonly PendingSubject[], timeZone: string): readonly DocumentEdit[] {
    return this.#run(documentEdits(partition, subjects, timeZone))
  }

  async askEdits({ name, description, content, revision, maxChars, facts }: DocumentEdit, failed?: FailedEdit): Promise<Asked> {
    const { texts: [harmless = '', about = ''] } = await redact([content, description])
    const options = { mark: this.#mark(), maxCharacters: maxChars }
    const prompt = editorPrompt({ name, description: about, content: harmless, revision }, facts, options)
    return sized(failed === undefined ? prompt : editorRetry(prompt, failed, options))
  }

  parseEdits(edit: DocumentEdit, object: Readonly<Record<string, unknown>>): EditOutcome {
    return parseEdits(object, edit, edit.facts, edit.maxChars)
  }

  extractEdits(edit: DocumentEdit): readonly DocumentWrite[] {
    return extractEdits(edit)
  }

  readForNotes(session: number, maxTokens: number): NotesReading | undefined {
    return this.#run(readForNotes(session, maxTokens))
  }

  async askNotes(reading: NotesReading, refused: readonly RefusedCall[]): Promise<Asked | undefined> {
    const messages = await withoutSecrets(this.#run(notedMessages(reading, noteTokens)))
    if (messages.length === 0) return undefined
    const prompt = notesPrompt(await this.redacted(reading.page), messages, reading.notes, { mark: this.#mark() })
    return sized(refused.length === 0 ? prompt : retryNotesPrompt(prompt, refused))
  }

  async parseNotes(reading: NotesReading, object: Readonly<Record<string, unknown>>): Promise<DraftedNotes | undefined> {
    const checked = checkNotes(object, reading.page, reading.notes)
    if ('problem' in checked) return undefined
    const content = await this.redacted(checked.content)
    return { ...checked, content, long: longIn(content, reading) }
  }

  async askCondensed({ notes }: NotesReading, { content, long }: DraftedNotes): Promise<Asked> {
    return sized(condensePrompt(content, long, notes, { mark: this.#mark() }))
  }

  async parseCondensed(reading: NotesReading, draft: DraftedNotes, object: Readonly<Record<string, unknown>> | undefined): Promise<DraftedNotes> {
    const checked = object === undefined ? undefined : checkNotes(object, draft.content, reading.notes, draft.long.map(({ heading }) => heading))
    const { content, applied, refused } = checked === undefined || 'problem' in checked ? { content: draft.content, applied: 0, refused: [] } : checked
    return { content: fittedNotes(await this.redacted(content), reading), applied, refused, long: [] }
  }

  async extractNotes(reading: NotesReading): Promise<string> {
    return this.redacted(writtenNotes(extractiveNotesWriter, reading, this.#run(notedMessages(reading, noteTokens))))
  }

  /** A text without its secrets. */
  async redacted(text: string): Promise<string> {
    const { texts: [harmless = ''] } = await redact([text])
    return harmless
  }

  close(): void {
    this.#connection().close()
  }

  /** Of one prompt: text that was said before cannot know it. */
  #mark(): string {
    return markOf(this.#key, randomBytes(4).toString('hex'))
  }

  /** Parts that are shared, with the places of the messages that hold a secret: whole messages, whatever a writer was shown of them. */
  async #withheld({ session, name, chunk }: SpanOf, parts: NewPart[]): Promise<NewPart[]> {
    if (!parts.some(({ layer }) => layer === layerBits.shared)) return parts
    const messages = this.#run(messagesBetween({ id: session, external_id: name }, chunk.from, chunk.to))
    const { texts } = await redact(messages.map(({ content }) => content))
    const withheld = messages.flatMap(({ seq, content }, at) => (texts[at] === content ? [] : [seq]))
    return parts.map((part) => (part.layer === layerBits.shared ? { ...part, withheld } : part))
  }

  /** What statements of a span are read against. */
  #readingGround({ session, name, chunk }: SpanOf, { writer }: Written): ReadingGround & { owner: string } {
    const { owner, settings } = this.#run(wantedOfSession(session, 0))
    return {
      messages: this.#run(messagesBetween({ id: session, external_id: name }, chunk.from, chunk.to)), session, label: owner === '' ? 'user' : owner, owner,
      timeZone: settingsOf(settings).timeZone, language: this.#language(session), writer,
    }
  }

  #messages({ session, name, chunk, layers, maxTokens }: SpanOf): readonly SourceMessage[] {
    const from = layers === layerBits.documents ? (chunk.documentsFrom ?? chunk.from) : chunk.from
    return this.#run(spanOf({ id: session, external_id: name }, from, chunk.to, maxTokens))
  }

  #language(session: number): string {
    return this.#run(sessionRowById(session))?.language ?? ''
  }

  #run<Result>(program: Program<Result>): Result {
    try {
      return executeRead(this.#connection(), program)
    } catch (error) {
      throw classify(error, this.#file, 'distil')
    }
  }
}

/** The extractive writer for a language (ISO 639-1; '' for unknown): what it counts are words as the index stems them. */
function writerIn(language: string): ExtractiveWriter {
  return extractiveWriter({ terms: (text) => contentTerms(text, language) })
}

/** Messages without their secrets: before a model sees them, and before anything is shared. */
async function withoutSecrets<Source extends { readonly text: string }>(messages: readonly Source[]): Promise<readonly Source[]> {
  const { texts } = await redact(messages.map(({ text }) => text))
  return messages.map((message, place) => ({ ...message, text: texts[place] ?? '' }))
}

async function sentencesWithoutSecrets(parts: readonly OutlinePart[]): Promise<readonly (readonly Sentence[])[]> {
  const { texts } = await redact(parts.flatMap(({ sentences }) => sentences.map(({ text }) => text)))
  let at = 0
  return parts.map(({ sentences }) => sentences.map((sentence) => ({ ...sentence, text: texts[at++] ?? '' })))
}

function sized(prompt: Prompt): Asked {
  return { ...prompt, tokens: tokensOf(prompt) }
}

/** The layer of one bit, of those that are made of sentences. */
function layerOf(bit: number): TextLayer {
  const [layer] = textLayersIn(bit)
  if (layer === undefined) throw new RangeError(`no layer has the bit ${bit}`)
  return layer
}

async function entriesWithoutSecrets(children: readonly DigestChild[]): Promise<readonly DigestChild[]> {
  const redacted: DigestChild[] = []
  for (const { label, bullets } of children) {
    const { texts: [first = '', ...others] } = await redact([label, ...bullets])
    redacted.push({ label: first, bullets: others })
  }
  return redacted
}
