import type { Memory } from '../../memory/memory.ts'
import { counted } from '../terminal.ts'

export type ShownUpkeepStatus = Awaited<ReturnType<Memory['upkeep']['status']>>

/**
 * Counts the work that upkeep would do now: `vectors of 412 messages; 18 sessions to read for gists and facts`.
 * Sessions that may go on are left out. Undefined when nothing is due.
 */
export function dueWork(status: ShownUpkeepStatus): string | undefined {
  const { embeddings, erasures, edits, notes } = status.backlog
  const sessions = sessionsToRead(status)
  const layers = dueLayers(status).map(({ layer }) => layerNames[layer] ?? layer)
  const parts = [
    ...(status.embedding === undefined || embeddings === 0 ? [] : [`vectors of ${counted(embeddings, 'message')}`]),
    ...(sessions === 0 ? [] : [`${counted(sessions, 'session')} to read for ${listed(layers)}`]),
    ...(notes === 0 ? [] : [`notes of ${counted(notes, 'session')}`]),
    ...(edits === 0 ? [] : [`${counted(edits, 'fact')} to work into documents`]),
    ...(erasures === 0 ? [] : [counted(erasures, 'erasure')]),
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}

/** Counts the sessions that are due for at least one layer, as far as the counts by layer tell. */
export function sessionsToRead(status: ShownUpkeepStatus): number {
  return Math.max(0, ...dueLayers(status).map(({ count }) => count))
}

function dueLayers({ backlog, waiting }: ShownUpkeepStatus): { layer: string; count: number }[] {
  const { embeddings: _embeddings, erasures: _erasures, edits: _edits, notes: _notes, ...sessions } = backlog
  return Object.entries(sessions).flatMap(([layer, count]) =>
    count > waiting.sessions ? [{ layer, count: count - waiting.sessions }] : [],
  )
}

/** Names of layers in a sentence, where they are not the layer's own. */
const layerNames: Readonly<Record<string, string>> = { bank: 'the bank', shared: 'the shared bank' }

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}
