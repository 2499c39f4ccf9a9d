import { isDeepStrictEqual } from 'node:util'
import { startInline } from '../../engine/inline.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AskedVector } from '../../recall/asked-vector.ts'
import { recallRequest } from '../../recall/request.ts'
import { type PartitionId, partitionId, projectName } from '../../scope/partition.ts'
import { allKinds } from '../../storage/kinds.ts'
import { messageAt } from '../../storage/log/messages.ts'
import { unlikeSource } from '../../storage/moved-rows.ts'
import type { MovingSide } from '../../storage/moving.ts'
import { namesOf, ownerKinds } from '../../storage/partitions.ts'
import type { Program } from '../../storage/program.ts'
import { firstVector } from '../../storage/segment/vectors.ts'
import type { OpenStore } from '../../storage/store-engine.ts'
import type { SampledMessage } from './sampled-messages.ts'
import { goOn } from './copy-rows.ts'
import type { MoveRequest, Sides } from './request.ts'

type Asked = Pick<MoveRequest, 'from' | 'to' | 'signal' | 'onProgress'>

/** A question as recall takes it: the beginning of a message, and the vector that the message has. */
interface Question {
  readonly partition: PartitionId
  readonly query: string
  readonly asked: AskedVector | undefined
}

/**
 * The memory that the index of each store may take: bytes. Questions go from partition to partition, so that few are
 * needed at once. Of one that does not fit, both search the newest messages.
 */
const indexBytes = 128 * 1024 * 1024

/** Letters of a message that are asked about. */
const questionLength = 200

/** Asks both stores the same questions, and returns their number. Refuses a target that answers one of them differently. */
export async function compareAnswers({ source, target }: Sides, messages: readonly SampledMessage[], request: Asked): Promise<number> {
  const now = Date.now()
  const one = await opened(source, request.from)
  try {
    const other = await opened(target, request.to)
    try {
      let done = 0
      for (const message of messages) {
        const question = await one.store.read(() => questionOn(message))
        if (question === undefined) continue
        const [expected, answered] = [await answerTo(one.engine, question, now), await answerTo(other.engine, question, now)]
        if (!isDeepStrictEqual(answered, expected))
          throw unlikeSource(target.shown, `a question about message ${message.ord} of partition ${message.partition} has another answer`)
        done += 1
        request.onProgress?.({ doing: 'questions', done, total: messages.length })
        await goOn(request.signal)
      }
      return done
    } finally {
      await other.engine.close()
    }
  } finally {
    await one.engine.close()
  }
}

/** Opens a store that is held, with an engine on it. */
async function opened({ programs }: MovingSide, place: string): Promise<{ readonly engine: Engine; readonly store: OpenStore }> {
  const clock = { now: () => Date.now() }
  // The store has an identity. It would get this one only if it were made here.
  const options = { place, identity: { id: '', key: '' } }
  const store = await programs.open({ ...options, writes: true, now: clock.now() })
  const engine = await startInline({ ...programs, open: async () => store }, { ...options, segmentBytes: indexBytes, clock })
  return { engine, store }
}

/** Asks for hits of every kind. The epochs that come with them have no order of their own, and their rows were compared. */
async function answerTo({ read }: Engine, { partition, query, asked }: Question, now: number): Promise<unknown> {
  const { found } = await read('recall.hits', partition, recallRequest({ query, kinds: allKinds }, now), asked)
  return found
}

/** Makes a question of a message; undefined where the message is nobody's to ask for. */
function* questionOn({ partition, ord }: SampledMessage): Program<Question | undefined> {
  const names = yield* namesOf(partition)
  const row = yield* messageAt(partition, ord)
  if (names === undefined || row === undefined) return undefined
  const project = projectName(names.project)
  const query = row.content.slice(0, questionLength).toWellFormed()
  const asked = vectorIn(yield* firstVector(partition, ord))
  if (names.kind === ownerKinds.user) return { partition: partitionId(project, { kind: 'user', name: names.owner }), query, asked }
  return names.kind === ownerKinds.anonymous ? { partition: partitionId(project, { kind: 'anonymous' }), query, asked } : undefined
}

function vectorIn(found: (AskedVector['maker'] & { readonly body: Uint8Array }) | undefined): AskedVector | undefined {
  // A text that the model refused has an empty one.
  if (found === undefined || found.body.length === 0) return undefined
  const { body, ...maker } = found
  return { maker, vector: new Float32Array(Uint8Array.from(body).buffer) }
}
