import { appendMessages } from '../../packages/varve/src/storage/log/append.ts'
import { forget } from '../../packages/varve/src/storage/erase/erasure.ts'
import { partitionId, type PartitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { analyse } from '../../packages/varve/src/index/analyse.ts'
import { encodeTerms } from '../../packages/varve/src/index/terms-codec.ts'
import type { PreparedMessage } from '../../packages/varve/src/storage/log/prepared-message.ts'
import { answer, type Program } from '../../packages/varve/src/storage/program.ts'
import { execute } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import type { Connection } from '../../packages/varve/src/storage/sqlite/connection.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { canary, canaryText, seeded } from '../fixtures/memory/canaries.ts'

const monday = Date.UTC(2026, 0, 5, 9)
const talk = sessionName('talk')

/** A store after many users talked in turn and forgot their secrets: rows were moved between pages, and left copies behind. */
export interface CrowdedStore {
  readonly connection: Connection
  readonly needles: readonly Uint8Array[]
  readonly secrets: readonly string[]
}

/** Makes the store; the layout of its pages depends on the seed alone. */
export function crowdedStore(file: string, seed: number): CrowdedStore {
  const pick = seeded(seed)
  const connection = openConnection(file)
  migrate(connection, { file, now: 0, identity: { id: 'store', key: 'key' } })
  const run = <Result>(program: Program<Result>): Result => {
    connection.exec('BEGIN IMMEDIATE')
    const result = execute(connection, program)
    connection.exec('COMMIT')
    return result
  }
  const users = Array.from({ length: 3 + pick(12) }, (_, place) =>
    partitionId(projectName('acme'), { kind: 'user', name: `user ${place}` }),
  )
  const most = 300 + pick(3_200)
  const rarity = 2 + pick(8)
  const secrets: { user: PartitionId; id: string; content: string }[] = []
  connection.pragma('synchronous = OFF')
  for (let round = 0; round < 30; round += 1) {
    for (const user of users) {
      const content = pick(rarity) === 0 ? canaryText(60 + pick(most), pick) : 'filler '.repeat(5 + pick(Math.ceil(most / 7)))
      const [stored] = run(
        appendMessages(
          user,
          talk,
          () => answer({ messages: [prepared(content, canary(20, 'abcdefghij', pick))], language: 'en', votes: {} }),
          monday,
        ),
      )
      if (!content.startsWith('filler')) secrets.push({ user, id: stored?.id ?? '', content })
    }
  }
  const needles = users.flatMap((user) => {
    const messages = secrets.filter((secret) => secret.user === user).map(({ id }) => id)
    return messages.length === 0 ? [] : (run(forget(user, { messages }, uuidv7(monday), monday)).needles ?? [])
  })
  return { connection, needles, secrets: secrets.map(({ content }) => content) }
}

function prepared(content: string, externalId: string): PreparedMessage {
  const terms = encodeTerms({ role: 'user', language: 'en', name: '', text: analyse(content, 'en') })
  return {
    externalId,
    role: 'user',
    origin: 'person',
    name: null,
    thread: null,
    content,
    parts: null,
    metadata: null,
    recalled: [],
    saidAt: monday,
    tokens: 1,
    main: { tokens: 1, calls: 0, isPause: undefined },
    terms,
    traits: 0,
  }
}
