import { describe, expect, test } from 'vitest'
import type { Memory } from '../../packages/varve/src/index.ts'
import { openAt, serve } from '../fixtures/distil/open.ts'
import { talk } from '../fixtures/distil/talk.ts'
import { copied } from '../fixtures/distil/writer.ts'
import { bouncerBefore, hasBouncer } from '../fixtures/postgres/pgbouncer.ts'
import { rowsOf } from '../fixtures/postgres/rows.ts'
import { ask, storeIn, withParameters } from '../fixtures/postgres/server.ts'

const url = process.env['VARVE_TEST_POSTGRES']

/** Fewer than the connections of two memories under load: transactions of several clients take turns in one session. */
const serverSessions = 2
const users = ['ada', 'bo', 'cy', 'dee']
const rounds = 6

describe.skipIf(url === undefined || !hasBouncer)('through PgBouncer in transaction mode', () => {
  test('two processes’ memories append, distil, recall and forget as one', async () => {
    const direct = storeIn(url ?? '')
    const schema = new URL(direct).searchParams.get('varve_schema') ?? ''
    const bouncer = await bouncerBefore(url ?? '', serverSessions)
    const model = await serve(copied)
    const open = (): Promise<Memory> =>
      openAt(model.url, {
        ...{ store: withParameters(bouncer.url, { varve_schema: schema }), engine: 'inline', upkeep: 'manual' },
        ...{ embeddingModel: false, isolation: 'silent', layers: { gists: true, bank: false, facts: false, instructions: false } },
      })
    const memories = [await open(), await open()]
    const [one, other] = memories

    // Both write into the same sessions.
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        memories.flatMap((memory, at) => users.map((user) => memory.for(user).append('talk', talk(`${user}${at}r${round}`, 1)))),
      )
    const [clients, servers] = [await ask(bouncer.console, 'show clients'), await ask(bouncer.console, 'show servers')]
    expect(servers.length).toBeLessThanOrEqual(serverSessions)
    expect(clients.length).toBeGreaterThan(serverSessions)
    const seqs = Array.from({ length: memories.length * rounds }, (_, at) => at + 1)
    for (const user of users) expect((await one?.for(user).messages('talk'))?.map(({ seq }) => seq)).toEqual(seqs)

    // Upkeep of both at once reads each session once.
    await Promise.all(memories.map((memory) => memory.upkeep.run({ all: true })))
    expect(model.count).toBe(users.length)
    const found = async (memory: Memory | undefined, user: string): Promise<string[]> =>
      (await memory?.for(user).recall(`barge ${user}0r0-1`, { kinds: ['message', 'gist'] }))?.hits.map(({ kind }) => kind) ?? []
    for (const user of users)
      for (const memory of memories) expect(new Set(await found(memory, user))).toEqual(new Set(['message', 'gist']))

    // What one forgets, the other finds no more, and no table has it.
    expect(await one?.for('ada').forget({ session: 'talk' })).toMatchObject({ logical: 'done', physical: 'done' })
    expect(await found(other, 'ada')).toEqual([])
    expect(await other?.for('ada').sessions.list()).toEqual([])
    expect(new Set(await found(other, 'bo'))).toEqual(new Set(['message', 'gist']))
    const rows = Buffer.concat(rowsOf(direct).map(({ bytes }) => bytes)).toString('latin1')
    expect([rows.includes('ada0r0-1'), rows.includes('bo0r0-1')]).toEqual([false, true])
  })
})
