import Database from 'better-sqlite3'
import type { Memory } from '../../../packages/varve/src/memory/memory.ts'
import type { FaultModel } from './embedding-model.ts'
import { problemsOf } from './inspect.ts'

interface EmbeddedPassage {
  readonly content: string
  readonly begins: number
  readonly ends: number
}

/**
 * Embeds the texts without a vector, and checks that no other text is embedded and that none is left. No lease and no
 * pause may be in the way.
 */
export async function embedRest(memory: Memory, store: string, model: FaultModel): Promise<string[]> {
  const had = embeddedTexts(store)
  model.asked.length = 0
  await memory.upkeep.run({ kinds: ['embeddings'], maxSeconds: 600 })
  const again = model.asked.filter((text) => had.has(text))
  const { backlog } = await memory.upkeep.status()
  const left = backlog.embeddings === 0 ? [] : [`${backlog.embeddings} messages stay without a vector`]
  return [...again.map((text) => `embedded again: ${text.slice(0, 24)}`), ...left, ...problemsOf(store)]
}

/** Returns the texts that have a vector. */
export function embeddedTexts(store: string): Set<string> {
  const connection = new Database(store, { readonly: true })
  try {
    const rows = connection
      .prepare<[], EmbeddedPassage>('SELECT content, begins, ends FROM message_vector JOIN message USING (partition_id, ord)')
      .all()
    return new Set(rows.map(({ content, begins, ends }) => content.slice(begins, ends)))
  } finally {
    connection.close()
  }
}
