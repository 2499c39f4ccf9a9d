import { writeFileSync } from 'node:fs'
import { claimEmbeddings, storeEmbeddings } from '../../../packages/varve/src/index/embedding-work.ts'
import { identity } from '../../../packages/varve/src/models/minilm/identity.ts'
import { miniLm } from '../../../packages/varve/src/models/minilm/minilm.ts'
import { packagedModel, readModelFiles } from '../../../packages/varve/src/models/minilm/model-files.ts'
import { loadWordPieces } from '../../../packages/varve/src/models/minilm/tokenizer.ts'
import { leastCosine } from '../../../packages/varve/src/recall/weights.ts'
import { openConnection } from '../../../packages/varve/src/storage/sqlite/open-connection.ts'
import { Writer } from '../../../packages/varve/src/storage/sqlite/writer.ts'
import { bytesOf } from '../import-task.ts'
import { makeQuestions } from '../questions.ts'
import type { Store } from '../tasks.ts'
import { dot, MadeUpVectors } from './made-up-vectors.ts'
import type { Filled } from './tasks.ts'

/**
 * The most tokens of a question. Made-up words take more tokens than English ones. With this bound, a question takes as
 * many as twelve English words (15, with both marks), or a little more.
 */
const mostTokens = 17

/** The number of real questions that the vectors resemble. */
const resembled = 64

const holder = 'bench'
const claim = { texts: 500, tokens: 1e9 }

/**
 * Gives every message of a store a made-up vector under the MiniLM's name, by the product's own programs. Always by
 * those of the sources: the built ones do the same, and nothing here is measured.
 */
export async function fillTask(store: Store, questions: number): Promise<Filled> {
  const asked = makeQuestions(store, questions, fitting())
  const model = miniLm({ threads: 1 })
  const real = await model.embed(asked.slice(0, resembled).map(({ text }) => withoutName(text)))
  await model.close()
  const overFloor = await fill(store.place, real)
  const file = `${store.place}.${store.messages}-${store.partitions}.json`
  writeFileSync(file, JSON.stringify(asked))
  return { asked: file, bytesPerMessage: bytesOf(store.place) / store.messages, overFloor }
}

/** Makes a filter that refuses a repeated question, whose vector would be known, and one with too many tokens. */
function fitting(): (text: string) => boolean {
  const pieces = loadWordPieces(readModelFiles(packagedModel()).tokenizer)
  const known = new Set<string>()
  return (text) => {
    const embedded = withoutName(text)
    if (known.has(embedded) || pieces.encode(embedded).length > mostTokens) return false
    known.add(embedded)
    return true
  }
}

/** Removes the name, as the product does before embedding. Names are the only words with a z. */
function withoutName(text: string): string {
  return text.replace(/\bZ[a-z]+ /, '')
}

/** Fills the store with vectors. Returns the share of vectors that are over the floor for a question. */
async function fill(file: string, questions: readonly Float32Array[]): Promise<number> {
  const vectors = new MadeUpVectors(questions)
  const writer = new Writer(file, openConnection(file), () => openConnection(file))
  const now = Date.now()
  let made = 0
  let over = 0
  for (;;) {
    const work = await writer.write(() => claimEmbeddings(identity, { holder, now, until: now + 60_000 }, claim))
    if (work.progress.length === 0) break
    const some = work.items.map(() => vectors.next())
    await writer.write(() => storeEmbeddings(work, some, holder))
    for (const vector of some) {
      const question = questions[made % questions.length]
      if (question !== undefined && dot(question, vector) >= leastCosine) over += 1
      made += 1
    }
  }
  writer.close()
  return over / made
}
