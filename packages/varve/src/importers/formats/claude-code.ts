import { growingCache } from '../../caches/growing-cache.ts'
import type { Metadata } from '../../messages/message.ts'
import type { ImportItem, ImportSource, RawMessage } from '../importer.ts'
import { jsonLines } from '../json-lines.ts'
import type { SkipReason } from '../reasons.ts'
import { readTime } from '../times.ts'
import { BlockReader, type ReadBlocks } from './claude-code-blocks.ts'
import { type TranscriptLine, blocksOf, readLine } from './claude-code-lines.ts'
import { ChainOrder } from './claude-code-order.ts'
import { type Talk, readTalk } from './claude-code-talk.ts'
import { Titles } from './claude-code-titles.ts'
import { atLine } from '../loose-values.ts'
import { toolNames } from './tool-parts.ts'

/** The longest line. A picture that a tool read stands in its line twice, in base64. */
const maxTranscriptLineBytes = 32 * 1024 * 1024
/** The most lines that later lines can refer to. */
const maxKnownLines = 20_000

/** The remembered facts about a line. */
interface KnownLine {
  readonly session: string
  readonly thread: string | undefined
  /** True once a person has answered it. */
  answered: boolean
}

const titleTypes: ReadonlySet<string> = new Set(['ai-title', 'custom-title', 'summary'])
const bookkeeping: ReadonlySet<string> = new Set([
  'agent-name',
  'agent-setting',
  'cost-state',
  'file-history-delta',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'result',
  'tag',
  'worktree-state',
])

/**
 * Reads a transcript of Claude Code, one JSON object a line: the words of people and the assistant, and each tool call
 * with its result. All branches are kept, because their work was done.
 *
 * A subagent's talk is a thread of its session. The program's own text in a person's name is told from their words.
 */
export async function* readClaudeCode(source: ImportSource): AsyncGenerator<ImportItem> {
  const transcript = new Transcript(source.name)
  for await (const line of jsonLines(source.bytes, maxTranscriptLineBytes)) {
    if (line.kind === 'skipped') yield line
    else yield* transcript.take(line.value, line.bytes, line.line)
  }
  yield* transcript.rest()
}

/** A line, and its number in the file. */
interface NumberedLine {
  readonly line: TranscriptLine
  readonly number: number | undefined
}

/** Reads lines one by one, in the order of a file. */
export class Transcript {
  readonly #defaultSession: string
  readonly #order = new ChainOrder<NumberedLine>()
  readonly #known = growingCache<string, KnownLine>(maxKnownLines)
  readonly #titles = new Titles()
  readonly #blocks = new BlockReader(toolNames())
  #lastAt = 0

  constructor(defaultSession: string) {
    this.#defaultSession = defaultSession
  }

  /** `number`: its line in the file. */
  *take(value: unknown, bytes: number, number?: number): Generator<ImportItem> {
    const line = readLine(value)
    if (line === undefined) yield* atLine([{ kind: 'skipped', reason: 'unknown line' }], number)
    else if (titleTypes.has(line.type))
      yield* this.#titles.take(line, line.sessionId ?? this.#defaultSession, (uuid) => this.#known.get(uuid)?.session)
    else {
      const at = readTime(line.timestamp)
      if (at.kind === 'time') this.#lastAt = at.ms
      const held = { value: { line, number }, id: line.uuid, parent: line.parentUuid ?? line.logicalParentUuid, at: this.#lastAt, bytes }
      for (const next of this.#order.take(held)) yield* atLine(this.#itemsOf(next.line), next.number)
    }
  }

  *rest(): Generator<ImportItem> {
    for (const next of this.#order.rest()) yield* atLine(this.#itemsOf(next.line), next.number)
    yield* this.#titles.rest()
    if (this.#order.loops > 0) yield { kind: 'repaired', reason: 'parent loop', count: this.#order.loops }
  }

  *#itemsOf(line: TranscriptLine): Generator<ImportItem> {
    // A fork copies the messages before it: they belong to the old session, and are stored once.
    const session = line.forkedFrom?.sessionId ?? line.sessionId ?? this.#defaultSession
    if (line.forkedFrom !== undefined) yield { kind: 'repaired', reason: 'copied by a fork' }
    const parent = line.parentUuid === undefined ? undefined : this.#known.get(line.parentUuid)
    if (line.parentUuid !== undefined && parent === undefined) yield { kind: 'repaired', reason: 'parent missing' }
    const thread = threadOf(line, parent)
    if (line.uuid !== undefined) {
      this.#known.set(line.uuid, { session, thread, answered: false })
      yield* this.#titles.met(line.uuid, session)
    }
    const about = { session, thread, parent }
    if (line.type === 'assistant') yield* this.#assistantItems(line, about)
    else if (line.type === 'user') yield* this.#userItems(line, about)
    else if (line.type === 'attachment') yield* this.#attachmentItems(line, about)
    else yield { kind: 'skipped', reason: reasonOf(line) }
  }

  *#assistantItems(line: TranscriptLine, about: About): Generator<ImportItem> {
    const { message } = line
    if (message === undefined) yield { kind: 'skipped', reason: 'not a message' }
    else if (line.isApiErrorMessage || message.model === '<synthetic>') yield { kind: 'skipped', reason: 'program notice' }
    else {
      const read = this.#blocks.read(blocksOf(message.content))
      yield* leftOut(read)
      if (read.content !== '' && read.content !== '(no content)')
        yield messageOf(line, about, { role: 'assistant', content: read.content, parts: read.parts }, message.model)
      else if (read.thoughts === 0) yield { kind: 'skipped', reason: 'empty content' }
    }
  }

  *#userItems(line: TranscriptLine, about: About): Generator<ImportItem> {
    const { message } = line
    if (message === undefined) {
      yield { kind: 'skipped', reason: 'not a message' }
      return
    }
    const read = this.#blocks.read(blocksOf(message.content))
    if (read.parts === undefined) yield* spoken(line, about, read)
    else {
      yield* leftOut(read)
      yield messageOf(line, about, { role: 'tool', content: read.content, parts: read.parts })
      for (const words of read.said) yield messageOf(line, about, { role: 'user', content: words, id: saidId(line) })
    }
  }

  /** A message that a person typed while the assistant worked is an attachment. */
  *#attachmentItems(line: TranscriptLine, about: About): Generator<ImportItem> {
    const { type, commandMode = 'prompt', prompt, origin } = line.attachment ?? {}
    if (type !== 'queued_command' || commandMode !== 'prompt' || prompt === undefined) yield { kind: 'skipped', reason: 'bookkeeping' }
    else yield* spoken({ ...line, origin: origin ?? line.origin }, about, this.#blocks.read(blocksOf(prompt)))
  }
}

/** The session, thread and parent of a line. */
interface About {
  readonly session: string
  readonly thread: string | undefined
  readonly parent: KnownLine | undefined
}

/** Names a subagent's thread by the agent, or by the thread's first line. */
function threadOf({ isSidechain, agentId, uuid }: TranscriptLine, parent: KnownLine | undefined): string | undefined {
  if (!isSidechain) return undefined
  if (agentId !== undefined) return agentId.startsWith('agent-') ? agentId : `agent-${agentId}`
  return parent?.thread ?? `sidechain-${uuid?.slice(0, 8) ?? 'unnamed'}`
}

function reasonOf({ type, subtype }: TranscriptLine): SkipReason {
  if (type !== 'system') return bookkeeping.has(type) ? 'bookkeeping' : 'unknown line'
  if (subtype === 'compact_boundary' || subtype === 'microcompact_boundary') return 'compaction boundary'
  return subtype === 'local_command' ? 'local command' : 'program notice'
}

/** Yields the message of a `user` line without a tool's result. */
function* spoken(line: TranscriptLine, about: About, read: ReadBlocks): Generator<ImportItem> {
  const talk = talkOf(line, read)
  if (talk.kind === 'skipped') {
    yield talk
    return
  }
  yield* leftOut(read)
  // In a thread of its own, the assistant is the one that speaks to a subagent.
  if (talk.kind === 'preamble') yield messageOf(line, about, { role: 'system', content: talk.text })
  else if (talk.kind === 'tool') yield messageOf(line, about, { role: 'user', origin: 'tool', content: talk.text })
  else if (about.thread !== undefined) yield messageOf(line, about, { role: 'user', origin: 'assistant', content: talk.text })
  else {
    if (talk.reminders > 0) yield { kind: 'repaired', reason: 'reminder left out', count: talk.reminders }
    if (about.parent?.answered === true) yield { kind: 'repaired', reason: 'branch kept' }
    if (about.parent !== undefined) about.parent.answered = true
    yield messageOf(line, about, { role: 'user', content: talk.text })
  }
}

function talkOf(line: TranscriptLine, { content, repairs }: ReadBlocks): Talk {
  if (line.isCompactSummary && content !== '') return { kind: 'preamble', text: content }
  if (line.isMeta || (line.origin?.kind ?? 'human') !== 'human') return { kind: 'skipped', reason: 'hidden message' }
  const picture = content.trim() === '' && repairs.includes('image left out')
  return picture ? { kind: 'person', text: '[image]', reminders: 0 } : readTalk(content)
}

function* leftOut({ repairs, thoughts }: ReadBlocks): Generator<ImportItem> {
  for (const reason of repairs) yield { kind: 'repaired', reason }
  if (thoughts > 0) yield { kind: 'skipped', reason: 'reasoning', count: thoughts }
}

function idOf({ uuid, forkedFrom }: TranscriptLine): string | undefined {
  return forkedFrom?.messageUuid ?? uuid
}

function saidId(line: TranscriptLine): string | undefined {
  const id = idOf(line)
  return id === undefined ? undefined : `${id}/said`
}

function messageOf(line: TranscriptLine, { session, thread }: About, said: RawMessage, model?: string): ImportItem {
  return { kind: 'message', session, message: { id: idOf(line), at: line.timestamp, thread, metadata: detailsOf(line, model), ...said } }
}

function detailsOf({ cwd, gitBranch }: TranscriptLine, model: string | undefined): Metadata | undefined {
  const details = {
    ...(model === undefined ? {} : { model }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(gitBranch === undefined ? {} : { gitBranch }),
  }
  return Object.keys(details).length === 0 ? undefined : details
}
