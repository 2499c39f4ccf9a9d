import { expect, test } from 'vitest'
import { analyse } from '../index/analyse.ts'
import { encodeTerms } from '../index/terms-codec.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { extractive } from '../models/writer.ts'
import { partitionId, projectName, sessionName } from '../scope/partition.ts'
import { forget } from '../storage/erase/erasure.ts'
import { bitOf } from '../storage/layers.ts'
import { appendMessages } from '../storage/log/append.ts'
import type { PreparedMessage } from '../storage/log/prepared-message.ts'
import { answer, type Program } from '../storage/program.ts'
import { execute } from '../storage/sqlite/execute.ts'
import { migrate } from '../storage/sqlite/migrate.ts'
import { openConnection } from '../storage/sqlite/open-connection.ts'
import { monday } from '../testing/store/check.ts'
import type { SpanOf } from './span-of.ts'
import { Spans } from './spans.ts'

const ada = partitionId(projectName('default'), { kind: 'user', name: 'ada' })
const talk = sessionName('talk')
const written = { writer: extractive, provisional: false }

function messageOf(role: 'user' | 'assistant', content: string): PreparedMessage {
  const said = {
    role,
    content,
    tokens: 8,
    saidAt: monday,
    terms: encodeTerms({ role, language: 'en', name: '', text: analyse(content, 'en') }),
  }
  const nothing = { externalId: null, name: null, thread: null, parts: null, metadata: null, recalled: [], traits: 0 }
  return { ...said, ...nothing, origin: role === 'user' ? 'person' : 'assistant', main: { tokens: 8, calls: 0, isPause: undefined } }
}

const ways: Readonly<Record<string, (spans: Spans, span: SpanOf) => Promise<unknown>>> = {
  withAttributes: (spans, span) => spans.withAttributes(span, monday),
  ask: (spans, span) => spans.ask(span),
  parse: (spans, span) => spans.parse(span, {}, written),
  extract: (spans, span) => spans.extract(span, written),
}

test.each(Object.keys(ways).flatMap((way) => ['own', 'shared'].map((layers) => [way, layers] as const)))(
  '%s of %s layers: a forget of the whole session before any of its reads is no failure',
  async (way, layers) => {
    const own = bitOf('gists') | bitOf('facts') | bitOf('instructions') | bitOf('documents')
    for (let forgotten = 0, reads = Infinity; forgotten < reads; forgotten += 1) {
      const connection = openConnection(':memory:')
      migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
      const messages = [messageOf('user', 'My sister Eva lives in Bremen.'), messageOf('assistant', 'Noted: Eva lives in Bremen.')]
      execute(
        connection,
        appendMessages(ada, talk, () => answer({ messages, language: 'en', votes: {} }), monday),
      )
      reads = 0
      const read = async <Result>(program: Program<Result>): Promise<Result> => {
        if (reads === forgotten) execute(connection, forget(ada, { session: talk }, uuidv7(monday), monday))
        reads += 1
        return execute(connection, program)
      }
      const chunk = { from: 1, to: 2, messages: 2, sitting: '2026-01-05', firstAt: monday, lastAt: monday, due: own }
      const span = {
        partition: 1,
        session: 1,
        name: talk,
        chunk,
        layers: layers === 'own' ? own : bitOf('shared'),
        maxTokens: 1_000,
        calendar: { timeZone: 'UTC', hemisphere: 'north' as const },
      }
      await expect(ways[way]?.(new Spans({ read, key: 'key' }), span), `forgotten before read ${forgotten}`).resolves.not.toThrow()
      connection.close()
    }
  },
)
