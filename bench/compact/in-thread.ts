import { compact, type CompactPlan } from '../../packages/varve/src/context/compact/compact.ts'
import { withTurns } from '../../packages/varve/src/context/compact/notes-writing.ts'
import { readTurn } from '../../packages/varve/src/context/compact/read-turn.ts'
import { TurnSizes } from '../../packages/varve/src/context/compact/sizes.ts'
import { extractiveNotesWriter } from '../../packages/varve/src/models/extractive/notes/notes-writer.ts'
import { loadTokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { notesSettings } from '../../packages/varve/src/notes/settings.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { answer } from '../../packages/varve/src/storage/program.ts'
import { executeRead } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'

const key = 'f'.repeat(64)
const settings = notesSettings()

/** Compaction as the reading thread does it, for a session of ada's whose stored notes cover nine tenths of it. */
export async function compactingWithNotes(store: string, session: string, messages: readonly object[], maxTokens: number): Promise<{ run(): CompactPlan; close(): void }> {
  const connection = openConnection(store)
  const sizes = new TurnSizes(await loadTokenizer())
  const partition = partitionId(projectName('bench'), { kind: 'user', name: 'ada' })
  const turns = messages.map(readTurn)
  const coveredSeq = Math.floor(turns.length * 0.9)
  const text = withTurns('', turns.slice(0, coveredSeq), { writer: extractiveNotesWriter, settings, key, count: sizes.text, now: 0 })
  const readNotes = () => answer({ text, coveredSeq, revision: 1, at: 0 })
  const run = (): CompactPlan => {
    const request = { session: sessionName(session), maxTokens, turns: messages.map(readTurn), now: 0 }
    return executeRead(connection, compact(partition, structuredClone(request), { key, sizes, readNotes, writer: extractiveNotesWriter, settings }))
  }
  return { run, close: () => connection.close() }
}
