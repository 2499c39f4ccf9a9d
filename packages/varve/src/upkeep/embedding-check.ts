import { ownReason } from '../errors/wordless.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { Check } from '../storage/check.ts'
import type { UpkeepStatus } from './upkeep-status.ts'

/** Enough texts to measure the speed. */
const trial = Array.from(
  { length: 16 },
  (_, place) => `Note ${place}: the night ferry was late again, so we drank our tea on the quay and counted the barges that went by.`,
)

/** Checks the vectors for `doctor`: the model, its runtime, its speed, and the messages that wait. Loads the model. */
export async function embeddingCheck(model: EmbeddingModel | undefined, status: () => Promise<UpkeepStatus>): Promise<Check> {
  const name = 'embeddings'
  if (model === undefined) return { name, ok: true, detail: 'off: words alone find' }
  try {
    await model.verify()
    await model.embed(trial, { priority: 'query' })
  } catch (error) {
    return {
      name,
      ok: false,
      detail: `words alone find: ${ownReason(error)}`,
      fix: 'put that right, or choose another model (embeddingModel, VARVE_EMBEDDINGS)',
    }
  }
  const { backlog, embedding, failures } = await status()
  const failure = failures.find(({ kind }) => kind === 'embedding')
  const speed = embedding?.tokensPerSecond === undefined ? '' : `, ${embedding.tokensPerSecond} tokens/s`
  const detail =
    `${embedding?.name} on ${embedding?.detail}${speed}; ${backlog.embeddings} ` +
    `${backlog.embeddings === 1 ? 'message waits' : 'messages wait'} for a ` +
    `vector${failure === undefined ? '' : `: ${failure.reason}`}`
  return {
    name,
    ok: failure === undefined,
    detail,
    ...(embedding?.fasterBy === undefined ? {} : { fix: `faster with: ${embedding.fasterBy}` }),
  }
}
