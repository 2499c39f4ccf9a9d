import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { appendMessages } from '../../storage/log/append.ts'
import { readMessages } from '../../storage/log/messages.ts'
import { sessionName } from '../../scope/partition.ts'
import { append, asPrepared, type ProgramCheck, monday, prepared, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')
const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const appendChecks: readonly ProgramCheck[] = [
  {
    name: 'a message comes back as it was given, byte for byte',
    async run(store) {
      const message = prepared(' \r\n\t"quoted" \\ %_*? 🏔️ e\u0301 \uFEFF\u2028 ', {
        externalId: 'x-1',
        role: 'tool',
        origin: 'tool',
        name: 'Ada',
        thread: 'side',
        parts: '[{"type":"text"}]',
        metadata: '{"n":1,"s":null}',
        recalled: [{ from: 1, to: 3 }],
        saidAt: -1,
        tokens: 7,
      })
      const [stored] = await append(store, ada, talkSession, [message])
      const [back] = await store.read(() => readMessages(ada, talkSession, { limit: 10 }))
      deepEqual(back, {
        id: stored?.id,
        externalId: 'x-1',
        session: 'talk',
        seq: 1,
        role: 'tool',
        origin: 'tool',
        name: 'Ada',
        thread: 'side',
        content: message.content,
        parts: [{ type: 'text' }],
        metadata: { n: 1, s: null },
        at: -1,
        recordedAt: monday,
        tokens: 7,
        recalled: [{ from: 1, to: 3 }],
      })
    },
  },
  {
    name: 'a session numbers its messages from one without a gap, whatever other sessions append in between',
    async run(store) {
      const other = sessionName('other')
      const seqs: number[] = []
      for (let round = 0; round < 4; round += 1) {
        await append(store, ada, other, ['between'])
        for (const { seq, id } of await append(store, ada, talkSession, ['one', 'two'])) {
          match(id, uuid7)
          seqs.push(seq)
        }
      }
      deepEqual(seqs, [1, 2, 3, 4, 5, 6, 7, 8])
    },
  },
  {
    name: 'a session stores an external id once, even within a batch, and reports each repetition as a duplicate',
    async run(store) {
      const [first] = await append(store, ada, talkSession, [prepared('said once', { externalId: 'x' })])
      const again = await append(store, ada, talkSession, [
        prepared('fresh'),
        prepared('other words', { externalId: 'x' }),
        prepared('a', { externalId: 'y' }),
        prepared('b', { externalId: 'y' }),
      ])
      deepEqual(
        again.map(({ duplicate }) => duplicate),
        [false, true, false, true],
      )
      deepEqual(
        again.map(({ seq }) => seq),
        [2, 1, 3, 3],
      )
      equal(again[1]?.id, first?.id)
      const stored = await store.read(() => readMessages(ada, talkSession, { limit: 10 }))
      deepEqual(
        stored.map(({ content }) => content),
        ['said once', 'fresh', 'a'],
      )
      const elsewhere = await append(store, ada, sessionName('elsewhere'), [
        prepared('said once', { externalId: 'x' }),
        prepared('and again', { externalId: 'x' }),
      ])
      deepEqual(
        elsewhere.map(({ duplicate }) => duplicate),
        [false, true],
      )
      equal(elsewhere[1]?.id, elsewhere[0]?.id)
    },
  },
  {
    name: 'a batch that fails midway stores nothing, and the next batch gets its numbers',
    async run(store) {
      const batch = [prepared('first'), { ...prepared('second'), tokens: 'not a number' as unknown as number }]
      await rejects(store.write(() => appendMessages(ada, talkSession, asPrepared(batch), monday)))
      deepEqual(await store.read(() => readMessages(ada, talkSession, { limit: 10 })), [])
      const [stored] = await append(store, ada, talkSession, ['third'])
      equal(stored?.seq, 1)
    },
  },
  {
    name: 'appends at the same time are all stored, and each keeps the order of its messages',
    async run(store) {
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, place) => append(store, ada, talkSession, [`${place} a`, `${place} b`])),
      )
      deepEqual(
        results
          .flat()
          .map(({ seq }) => seq)
          .toSorted((a, b) => a - b),
        Array.from({ length: 80 }, (_, place) => place + 1),
      )
      for (const [a, b] of results) equal(b?.seq, (a?.seq ?? 0) + 1)
    },
  },
  {
    name: 'a page holds the newest messages before a seq, oldest first, with or without tool messages',
    async run(store) {
      await append(store, ada, talkSession, ['1', prepared('2', { role: 'tool' }), '3', prepared('4', { role: 'tool' }), '5'])
      const contents = async (request: { limit: number; before?: number; tools?: boolean }) =>
        (await store.read(() => readMessages(ada, talkSession, request))).map(({ content }) => content)
      deepEqual(await contents({ limit: 2 }), ['4', '5'])
      deepEqual(await contents({ limit: 2, before: 4 }), ['2', '3'])
      deepEqual(await contents({ limit: 2, tools: false }), ['3', '5'])
      deepEqual(await contents({ limit: 10, before: 1 }), [])
    },
  },
]
