import { embeddingOf } from '../../../packages/varve/src/index/embedding-state.ts'
import { type Index, Segments } from '../../../packages/varve/src/index/segments.ts'
import { identity } from '../../../packages/varve/src/models/minilm/identity.ts'
import { miniLm } from '../../../packages/varve/src/models/minilm/minilm.ts'
import { roles } from '../../../packages/varve/src/messages/message.ts'
import { find } from '../../../packages/varve/src/recall/recall.ts'
import { recallRequest } from '../../../packages/varve/src/recall/request.ts'
import { parseScope } from '../../../packages/varve/src/scope/scope.ts'
import type { Program } from '../../../packages/varve/src/storage/program.ts'
import { execute } from '../../../packages/varve/src/storage/sqlite/execute.ts'
import { openConnection } from '../../../packages/varve/src/storage/sqlite/open-connection.ts'
import { partitionState } from '../../../packages/varve/src/storage/segment/terms.ts'
import type { Question } from '../questions.ts'
import { type Store, userOf } from '../tasks.ts'
import { type Asked, RankingSteps } from './ranking-steps.ts'
import type { SignalCosts } from './tasks.ts'

/** The questions before the measured ones. */
const compiling = 6
const segmentBytes = 512 * 1024 * 1024

/** Measures each step of ranking, and each signal, on a loaded segment, in one thread. On the sources: the built code is the same. */
export async function signalsTask({ place: file }: Store, asked: readonly Question[]): Promise<SignalCosts> {
  const connection = openConnection(file)
  const segments = new Segments(segmentBytes)
  const { partition } = parseScope(userOf(0))
  const index = execute(connection, load(segments, partition))
  const { segment } = index
  // In made-up talk everybody is a user. Half of the messages become the assistant's, so that `person` has two roles to compare.
  for (let doc = 0; doc < segment.count; doc += 2) segment.roles[doc] = roles.indexOf('assistant')
  const now = Date.now()
  const questions = await withVectors(asked)
  const steps = new RankingSteps(
    index,
    now,
    ({ text, vector }) =>
      execute(connection, find(segments, partition, recallRequest({ query: text }, now), { maker: identity, vector })).found.length,
  )
  // The first questions compile the code.
  for (const question of questions.slice(0, compiling)) steps.measure(question)
  steps.clear()
  for (const question of questions) steps.measure(question)
  connection.close()
  return { messages: segment.count, ...steps.costs() }
}

function* load(segments: Segments, partition: Parameters<typeof find>[1]): Program<Index> {
  const state = yield* partitionState(partition)
  if (state === undefined) throw new RangeError('the store has no such partition')
  // No other program uses the segment here.
  return yield* segments.look(state, yield* embeddingOf(state.id, identity), (index) => index)
}

async function withVectors(asked: readonly Question[]): Promise<Asked[]> {
  const model = miniLm({ threads: 1 })
  const vectors = await model.embed(asked.map(({ text }) => text))
  await model.close()
  return asked.flatMap(({ text }, place) => (vectors[place] === undefined ? [] : [{ text, vector: vectors[place] }]))
}
