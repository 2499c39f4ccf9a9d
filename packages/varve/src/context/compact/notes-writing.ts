import { LRUCache } from 'lru-cache'
import { extractiveNotes } from '../../notes/extractive-notes.ts'
import { fitNotes } from '../../notes/caps.ts'
import { readPage, writePage } from '../../notes/page.ts'
import type { NotesSettings } from '../../notes/settings.ts'
import type { Origin, Role } from '../../messages/message.ts'
import { fencedRanges } from '../../messages/fence.ts'
import type { NotedMessage, NotesWriter } from '../../models/notes-writer.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import type { Program } from '../../storage/program.ts'
import { type Piece, spokenTurnText, type Turn } from './turn.ts'

/** A session's notes as they stand in the store. */
export interface StoredNotes {
  readonly text: string
  /** The notes cover every message up to this seq. */
  readonly coveredSeq: number
  readonly revision: number
  readonly at: number
}

export type ReadNotes = (partition: PartitionId, session: SessionName) => Program<StoredNotes | undefined>

/** The tools for writing notes without a model. */
export interface NotesWriting {
  readonly writer: NotesWriter
  readonly settings: NotesSettings
  /** The store's secret. Texts that the store itself put into a message are not written down. */
  readonly key: string
  readonly count: (text: string) => number
  readonly now: number
}

/** Writes turns that go into a page. Gives '' when there is nothing to say. */
export function withTurns(page: string, turns: readonly Turn[], { writer, settings, key, count, now }: NotesWriting): string {
  const messages = turns.map((turn, place) => notedOf(turn, place + 1, key, now))
  return leanPage(extractiveNotes(writer, page, messages, settings, count).content)
}

/** Cuts a page to the tokens. Gives '' when nothing fits. */
export function cutPage(page: string, maxTokens: number, count: (text: string) => number): string {
  return leanPage(fitNotes(page, maxTokens, count).content)
}

/** The most characters of pages whose reading is remembered. Reading a page takes longer than all other work on it. */
const leanPages = new LRUCache<string, string>({ maxSize: 1_000_000, sizeCalculation: (lean, page) => page.length + lean.length })

/** Gives a page without empty sections and without the hints to its writer. */
export function leanPage(content: string): string {
  if (content === '') return ''
  const known = leanPages.get(content)
  if (known !== undefined) return known
  const { before, sections } = readPage(content)
  const lean = writePage({
    before,
    sections: sections.flatMap((section) => (section.body === '' ? [] : [{ ...section, head: section.head.split('\n_')[0] ?? '' }])),
  }).trimEnd()
  leanPages.set(content, lean)
  return lean
}

const originOf: Readonly<Record<Role, Origin>> = { user: 'person', assistant: 'assistant', tool: 'tool', system: 'system' }

function notedOf(turn: Turn, seq: number, key: string, at: number): NotedMessage {
  return { seq, role: turn.role, origin: originOf[turn.role], at, text: ownText(turn, key), parts: turn.pieces.flatMap(partsOf) }
}

function ownText(turn: Turn, key: string): string {
  const text = spokenTurnText(turn)
  return fencedRanges(text, key).reduceRight((own, { from, to }) => own.slice(0, from) + own.slice(to), text)
}

/** Gives a piece the shape of a ModelMessage's parts, for any host's shape. */
function partsOf(piece: Piece): object[] {
  if (piece.kind === 'text') return [{ type: 'text', text: piece.text }]
  if (piece.kind === 'call') {
    const call = { type: 'tool-call', toolCallId: piece.id, toolName: piece.name, input: piece.input }
    return piece.output === undefined ? [call] : [call, resultOf(piece.id, piece.name, piece.output, piece.failed === true)]
  }
  return piece.kind === 'result' ? [resultOf(piece.id, piece.name, piece.output, piece.failed)] : []
}

function resultOf(toolCallId: string, toolName: string, output: string, isError: boolean): object {
  return { type: 'tool-result', toolCallId, ...(toolName === '' ? {} : { toolName }), output, isError }
}
