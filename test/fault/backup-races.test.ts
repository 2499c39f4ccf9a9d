import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { OtherProcess } from '../e2e/other-process.ts'
import { temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'

const writers = 4

/** Reads the content of each session in the order of seq. */
function sessionsIn(file: string): ReadonlyMap<string, readonly { readonly seq: number; readonly content: string }[]> {
  const connection = new Database(file, { readonly: true })
  const rows = connection
    .prepare<[], { session: string; seq: number; content: string }>(
      'SELECT s.external_id AS session, m.seq, m.content FROM message m JOIN session s ON s.id = m.session_id ORDER BY s.id, m.seq',
    )
    .all()
  connection.close()
  return Map.groupBy(rows, ({ session }) => session)
}

it(
  'a backup while four writers of two processes append, and a forget runs, is one state with all that was acknowledged',
  { timeout: 120_000 },
  async () => {
    using folder = temporaryFolder()
    const store = join(folder.path, 'store.db')
    await using memory = await openMemory({
      store,
      upkeep: 'manual',
      embeddingModel: false,
      isolation: 'silent',
      logger: { warn: () => {} },
    })
    const ada = memory.for('ada')
    const filler = 'the ferry leaves at nine and the pier is green '.repeat(20)
    await ada.append(
      'long',
      Array.from({ length: 2_000 }, (_, at) => ({ role: 'user' as const, content: `${at} ${filler}` })),
    )
    await ada.append('gone', { role: 'user', content: 'forgotten meanwhile' })
    const other = await OtherProcess.start(store)
    const acknowledged = Array.from({ length: writers }, () => 0)
    const end = new AbortController()
    const write = async (writer: number): Promise<void> => {
      for (let at = 1; !end.signal.aborted; at += 1) {
        const message = { role: 'user', content: `${writer} ${at}` } as const
        if (writer === 0) await other.tell({ do: 'append', session: `s${writer}`, messages: [message] })
        else await ada.append(`s${writer}`, message)
        acknowledged[writer] = at
      }
    }
    const writing = Array.from({ length: writers }, (_, writer) => write(writer))
    const [first] = await ada.messages('gone')
    for (let round = 0; round < 4; round += 1) {
      const file = join(folder.path, `backup-${round}.db`)
      const before = [...acknowledged]
      const forgetting = round === 1 ? ada.forget({ messages: [first?.id ?? ''] }) : undefined
      const made = await memory.backup(file)
      const after = [...acknowledged]
      await forgetting
      const sessions = sessionsIn(file)
      expect(problemsOf(file)).toEqual([])
      for (let writer = 0; writer < writers; writer += 1) {
        const found = sessions.get(`s${writer}`) ?? []
        expect(found.map(({ content }) => content)).toEqual(found.map((_, at) => `${writer} ${at + 1}`))
        expect(found.map(({ seq }) => seq)).toEqual(found.map((_, at) => at + 1))
        expect(found.length).toBeGreaterThanOrEqual(before[writer] ?? 0)
        expect(found.length).toBeLessThanOrEqual((after[writer] ?? 0) + 1)
      }
      expect(made.messages).toBe([...sessions.values()].flat().length)
      if (round > 1) expect(sessions.has('gone')).toBe(false)
      expect(statSync(file).size).toBe(made.bytes)
    }
    end.abort()
    await Promise.all(writing)
    expect(Math.min(...acknowledged)).toBeGreaterThan(4)
  },
)
