import { readdirSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import type { EditArguments, EditLine } from './children/edit-child.ts'
import type { RaceArguments, RaceLine } from './children/race-child.ts'
import { Child } from './support/child.ts'
import { fixtureFile } from './support/fixture.ts'
import { copyPrivately, temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { counted, scaled, summarise } from './support/scale.ts'
import { textOf } from './support/text.ts'

const appends = scaled(200, 1_000)
const rounds = scaled(3, 20)
const races = scaled(4, 40)

describe('two processes on one store', () => {
  // requirement: P1.4
  it('make it together, and append into one session without an error or a gap', { timeout: scaled(120_000, 600_000) }, async () => {
    using folder = temporaryFolder()
    const store = folder.file('store.db')
    const start = folder.file('start')
    const names = ['left', 'right'] as const
    // Both start at once, and the store does not exist yet.
    const others = { left: 'right', right: 'left' } as const
    const children = names.map((name) => {
      return new Child<RaceLine>('race-child.ts', { store, name, appends, start, other: others[name] } satisfies RaceArguments)
    })
    for (const child of children) expect(await child.line(({ type }) => type === 'opened'), (await ended(child)) ?? '').toBeDefined()
    writeFileSync(start, '')
    const lines = await Promise.all(children.map((child) => child.line(({ type }) => type === 'done')))
    const done = lines.flatMap((line) => (line?.type === 'done' ? [line] : []))
    for (const child of children) expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' })

    await using memory = await openMemory({ store, upkeep: 'manual' })
    const messages = await memory.for('ada').messages('shared', { limit: 10_000 })
    const errors = done.flatMap((line) => line.errors)
    const interleaved = done[0]?.seqs.some((seq, at) => seq !== at + 1) === true && done[1]?.seqs.some((seq, at) => seq !== at + 1) === true
    summarise(
      `two processes: ${counted(messages.length)} messages of ${counted(2 * appends)}, seq ${messages[0]?.seq} to ` +
        `${messages.at(-1)?.seq}, ${errors.length} errors`,
    )
    expect(errors).toEqual([])
    expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 * appends }, (_, at) => at + 1))
    expect(done.flatMap(({ seqs }) => seqs).sort((a, b) => a - b)).toEqual(messages.map(({ seq }) => seq))
    for (const [at, name] of names.entries()) {
      expect(done[at]?.seqs.map((seq) => messages[seq - 1]?.content)).toEqual(
        Array.from({ length: appends }, (_, place) => textOf(`${name}-${place}`)),
      )
    }
    expect(interleaved).toBe(true)
    expect(problemsOf(store)).toEqual([])
  })

  for (const [what, leave] of [
    ['make', undefined],
    ['migrate', leaveOlder],
  ] as const) {
    it(`${what} it at the same moment, again and again`, { timeout: scaled(120_000, 600_000) }, async () => {
      const problems: string[] = []
      for (let race = 0; race < races; race += 1) {
        using folder = temporaryFolder()
        const store = folder.file('store.db')
        const start = folder.file('start')
        const engine = race % 2 === 0 ? 'threads' : 'inline'
        leave?.(store)
        writeFileSync(start, '')
        const children = ['left', 'right'].map(
          // A store is made and migrated by the same code inline, which gets there sooner: half of the races are between such.
          (name) => new Child<RaceLine>('race-child.ts', { store, name, appends: 5, start, engine } satisfies RaceArguments),
        )
        for (const child of children) {
          const { code, stderr } = await child.ended
          if (code !== 0) problems.push(stderr)
          problems.push(...child.lines.flatMap((line) => (line.type === 'done' ? line.errors : [])))
        }
        await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual' })
        const seqs = (await memory.for('ada').messages('shared')).map(({ seq }) => seq)
        if (seqs.join(' ') !== '1 2 3 4 5 6 7 8 9 10') problems.push(`seq ${seqs.join(' ')}`)
        if (leave !== undefined && (await memory.for({ project: 'acme', user: 'ada' }).messages('harbour')).length !== 12)
          problems.push('a session is not whole')
        problems.push(...readdirSync(folder.path).filter((name) => name.includes('before')))
      }
      summarise(`two processes that ${what} a store at once: ${races} races, ${problems.length} errors`)
      expect(problems).toEqual([])
    })
  }

  it('see what the other wrote, replaced and forgot at the next recall', { timeout: scaled(120_000, 600_000) }, async () => {
    using folder = temporaryFolder()
    const store = folder.file('store.db')
    const go = folder.file('go')
    await using memory = await openMemory({ store, upkeep: 'manual' })
    const ada = memory.for('ada')
    await ada.append('own', { role: 'user', content: 'The harbour is closed in winter.' })
    const child = new Child<EditLine>('edit-child.ts', { store, go, rounds } satisfies EditArguments)
    const found = async (word: string): Promise<number> =>
      (await ada.recall(`harbour codeword ${word}`)).hits.filter(({ text }) => text.includes(word)).length
    const tell = async (round: number, what: string, type: EditLine['type']): Promise<void> => {
      writeFileSync(`${go}-${round}-${what}`, '')
      expect(await child.line((line) => line.round === round && line.type === type), `${type} ${round}`).toBeDefined()
    }
    for (let round = 0; round < rounds; round += 1) {
      await tell(round, 'append', 'appended')
      expect(await found(`albatross${round}`)).toBe(1)
      await tell(round, 'replace', 'replaced')
      expect([await found(`albatross${round}`), await found(`cormorant${round}`)]).toEqual([0, 1])
      await tell(round, 'forget', 'forgotten')
      expect(await found(`cormorant${round}`)).toBe(0)
    }
    expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' })
    expect(await memory.upkeep.run()).toMatchObject({ settled: true })
    summarise(`two processes: ${rounds} writes, ${rounds} replacements and ${rounds} erasures of one seen at the other's next recall`)
  })
})

/** Copying this many bytes aside takes a while: one process still copies when the other has migrated. */
const paddingBytes = 30_000_000

function leaveOlder(store: string): void {
  copyPrivately(fixtureFile(1), store)
  const connection = new Database(store)
  connection.prepare("INSERT INTO meta (key, value) VALUES ('padding', ?)").run('x'.repeat(paddingBytes))
  connection.close()
}

/** Returns the error output of a child that ended without opening; undefined while it runs. */
async function ended(child: Child<RaceLine>): Promise<string | undefined> {
  return Promise.race([child.ended.then(({ stderr }) => stderr), Promise.resolve(undefined)])
}
