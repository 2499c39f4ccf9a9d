import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { ask, hasPostgres, postgresUrl, storeIn } from '../fixtures/postgres/server.ts'
import type { OpenPostgresArguments, OpenPostgresLine } from './children/open-postgres-child.ts'
import { Child } from './support/child.ts'
import { temporaryFolder } from './support/folder.ts'
import { scaled, summarise } from './support/scale.ts'

const processes = 8
const rounds = scaled(2, 20)

describe.skipIf(!hasPostgres)('processes and the schema of a PostgreSQL store', () => {
  it('make it at once, in a schema that is not there, and all open it', { timeout: scaled(120_000, 1_200_000) }, async () => {
    const url = await postgresUrl()
    const errors: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      using folder = temporaryFolder()
      const [store, start] = [storeIn(url), folder.file('start')]
      const children = Array.from(
        { length: processes },
        (_, at) => new Child<OpenPostgresLine>('open-postgres-child.ts', { store, name: `t${at}`, start } satisfies OpenPostgresArguments),
      )
      for (const child of children) await child.line(({ type }) => type === 'waits')
      writeFileSync(start, '')
      for (const child of children) {
        const line = await child.line(({ type }) => type === 'done')
        const { stderr } = await child.ended
        if (line?.type !== 'done' || line.error !== undefined || stderr !== '') errors.push(`${JSON.stringify(line)} ${stderr}`)
      }
      expect(errors).toEqual([])
      expect(await ask(store, 'select count(*)::int as messages from message')).toEqual([{ messages: processes }])
      expect(await ask(store, "select count(*)::int as ids from meta where key = 'store_id'")).toEqual([{ ids: 1 }])
    }
    summarise(`PostgreSQL, ${processes} processes that make one store at once: ${rounds} rounds, ${errors.length} errors`)
  })

  it('refuse a newer one, at opening and after it', async () => {
    const store = storeIn(await postgresUrl())
    await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual' })
    const ada = memory.for('ada')
    await ada.append('talk', { role: 'user', content: 'The tern came back.' })
    await ask(store, "insert into schema_migration (version, name, checksum, applied_at) values (9999, 'later', '', 0)")
    await expect(openMemory({ store, engine: 'inline', upkeep: 'manual' })).rejects.toMatchObject({ code: 'SCHEMA_TOO_NEW', found: 9999 })
    await expect(ada.append('talk', { role: 'user', content: 'It left again.' })).rejects.toMatchObject({ code: 'SCHEMA_TOO_NEW' })
    expect(await ask(store, 'select count(*)::int as messages from message')).toEqual([{ messages: 1 }])
  })
})
