import { openMemory } from '../../packages/varve/src/index.ts'
import { answered, documents, unanswered } from './held-out.ts'

export interface LeastScore {
  readonly vectors: boolean
  /** Of the answerable questions: those whose document was found, and those whose document came first. */
  readonly found: number
  readonly first: number
  readonly answered: number
  /** Of the unanswerable questions: those for which a document was found, and all. */
  readonly wrongly: number
  readonly unanswered: number
}

/** Measures the questions that the default least score lets through, with the model in the package or by words alone. */
export async function leastScore(vectors: boolean): Promise<LeastScore> {
  await using memory = await openMemory({
    store: 'memory:',
    upkeep: 'manual',
    languageModel: false,
    ...(vectors ? {} : { embeddingModel: false }),
  })
  const ada = memory.for('ada').documents
  for (const [name, content] of Object.entries(documents)) await ada.edit(name, content)
  await memory.upkeep.run()
  let [found, first, wrongly] = [0, 0, 0]
  for (const [question, document] of answered) {
    const names = (await ada.recollect(question)).map(({ name }) => name)
    found += Number(names.includes(document))
    first += Number(names[0] === document)
  }
  for (const question of unanswered) wrongly += Number((await ada.recollect(question)).length > 0)
  return { vectors, found, first, answered: answered.length, wrongly, unanswered: unanswered.length }
}
