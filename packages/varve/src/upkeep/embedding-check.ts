import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { Check } from '../storage/check.ts'
import type { UpkeepStatus } from './upkeep.ts'

/** How it stands with the vectors: whether the model works, what runs it, how fast, what waits. Loads the model. */
export async function embeddingCheck(model: EmbeddingModel | undefined, status: () => Promise<UpkeepStatus>): Promise<Check> {
  const name = 'embeddings'
  if (model === undefined) return { name, ok: true, detail: 'off: words alone find' }
  try {
    await model.verify()
    await model.embed(['varve'], { priority: 'query' })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { name, ok: false, detail: `words alone find: ${reason}` }
  }
  const { backlog, embedding, failures } = await status()
  const failure = failures.find(({ kind }) => kind === 'embedding')
  const speed = embedding?.tokensPerSecond === undefined ? '' : `, ${embedding.tokensPerSecond} tokens/s`
  const detail = `${embedding?.name} on ${embedding?.detail}${speed}; ${backlog.embeddings} messages wait for their vector${failure === undefined ? '' : `: ${failure.reason}`}`
  return { name, ok: failure === undefined, detail, ...(embedding?.fasterBy === undefined ? {} : { fix: `faster with: ${embedding.fasterBy}` }) }
}
