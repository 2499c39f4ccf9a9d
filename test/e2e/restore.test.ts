import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Memory } from '../../packages/varve/src/index.ts'
import { restoreStore, type Restored } from '../../packages/varve/src/memory/restoring/restore-store.ts'
import type { Erases } from '../../packages/varve/src/storage/erase/erases.ts'
import { day, settled, talk } from '../fixtures/distil/talk.ts'
import { canaryText, tracesOf } from '../fixtures/memory/canaries.ts'
import { backups, said, say } from '../fixtures/memory/backups.ts'
import { problemsOf } from '../fault/support/inspect.ts'

const { open, path, pass } = backups({ languageModel: false, layers: { gists: true, facts: false, bank: true } })

type Asked = Partial<Parameters<typeof restoreStore>[0]>

const restore = (asked: Asked = {}): Promise<Restored> =>
  restoreStore({
    ...{ file: path('kept/backup.db'), store: path('in-use/store.db'), overwrite: true, withoutReceipts: false, environment: {} },
    ...asked,
  })

/** Does something with the store, and closes it. */
async function inStore<Result>(act: (memory: Memory) => Promise<Result>): Promise<Result> {
  mkdirSync(path('in-use'), { recursive: true })
  await using memory = await open('in-use/store.db')
  // The memory is open until the answer is there.
  const result = await act(memory)
  return result
}

async function backedUp(fill: (memory: Memory) => Promise<unknown>): Promise<void> {
  rmSync(path('in-use'), { recursive: true, force: true })
  await inStore(async (memory) => {
    await fill(memory)
    await memory.backup(path('kept/backup.db'), { overwrite: true })
  })
}

const upkeep = async (memory: Memory): Promise<void> => {
  pass(settled)
  await memory.upkeep.run({ maxSeconds: 60 })
}

const firstEntry = async (memory: Memory): Promise<string> => {
  const [entry] = await memory.for('ada').bank.entries({ granularity: 'conversation' })
  return entry?.id ?? ''
}

interface Erasure {
  readonly fill: (memory: Memory, words: string) => Promise<unknown>
  readonly erase: (memory: Memory) => Promise<unknown>
  /** Where the words stay stored for the one who said them: a text that others are shown. */
  readonly shown?: (memory: Memory) => Promise<string>
}

const told = (memory: Memory, words: string): Promise<void> => say(memory, 'monday', 'the pier is green', words)
const idOf = async (memory: Memory): Promise<string> => (await memory.for('ada').messages('monday'))[1]?.id ?? ''
const banner = async (memory: Memory): Promise<string> => (await memory.project('default').bank.render()).text

/** Each kind of erasure that a receipt knows, in each of its forms. */
const erasures: Readonly<Record<Erases['what'], Readonly<Record<string, Erasure>>>> = {
  messages: {
    'by id': { fill: told, erase: async (memory) => memory.for('ada').forget({ messages: [await idOf(memory)] }) },
    'of a session': { fill: told, erase: (memory) => memory.for('ada').sessions.delete('monday') },
    'before a time': { fill: told, erase: (memory) => memory.for('ada').forget({ before: Date.UTC(2040, 0, 1) }) },
    'of all': { fill: told, erase: (memory) => memory.for('ada').forget({ all: true }) },
  },
  words: { replaced: { fill: told, erase: async (memory) => memory.for('ada').replace(await idOf(memory), 'other words') } },
  project: { deleted: { fill: told, erase: (memory) => memory.projects.delete('default') } },
  document: {
    deleted: {
      fill: (memory, words) => memory.for('ada').documents.edit('The Pier', `- ${words}`),
      erase: (memory) => memory.for('ada').documents.delete('the pier'),
    },
  },
  notes: {
    deleted: {
      fill: async (memory, words) => {
        await say(memory, 'monday', 'the pier is green')
        await memory.for('ada').notes.edit('monday', `# State\n\n${words}`)
      },
      erase: (memory) => memory.for('ada').notes.delete('monday'),
    },
  },
  block: {
    deleted: {
      fill: (memory, words) => memory.for('ada').blocks.set('habits', words),
      erase: (memory) => memory.for('ada').blocks.delete('habits'),
    },
  },
  bank: {
    'of an entry': {
      fill: async (memory, words) => {
        await memory.for('ada').append('one', talk('one', 3))
        await upkeep(memory)
        await memory.for('ada').bank.correct(await firstEntry(memory), `- ${words}`)
      },
      erase: async (memory) => memory.for('ada').bank.delete(await firstEntry(memory), { forget: true }),
    },
    'of a member': { fill: (memory) => shared(memory), erase: (memory) => memory.project('default').bank.withdraw('ada'), shown: banner },
  },
  sharing: {
    'of a session': { fill: (memory) => shared(memory), erase: (memory) => memory.for('ada').sessions.share('one', false), shown: banner },
    'of a project': {
      fill: (memory) => shared(memory),
      erase: (memory) => memory.project('default').bank.setSharing(false),
      shown: banner,
    },
  },
  kept: {
    'after 30 days': {
      fill: async (memory, words) => {
        await memory.for('ada').append('one', talk('one', 3))
        await upkeep(memory)
        await memory.for('ada').gists.write('one', words)
        await memory.for('ada').gists.write('one', 'A second gist.')
      },
      erase: async (memory) => {
        pass(31 * day)
        await memory.upkeep.run({ maxSeconds: 60 })
      },
    },
  },
  imports: {
    discarded: {
      fill: async (memory, words) => {
        await using other = await open('in-use/other.db')
        await say(other, 'tuesday', words)
        const lines = await Array.fromAsync(other.for('ada').export())
        expect(await memory.for('ada').import(lines)).toMatchObject({ state: 'waiting' })
      },
      erase: async (memory) => {
        for (const { id } of await memory.for('ada').imports.list()) await memory.for('ada').imports.discard(id)
      },
    },
  },
}

async function shared(memory: Memory): Promise<void> {
  await memory.project('default').bank.setSharing(true, { acknowledge: true, by: 'grace' })
  await memory.for('ada').append('one', talk('one', 3))
  await memory.for('bob').append('two', talk('two', 3))
  await upkeep(memory)
}

describe('what was forgotten after a backup does not come back with it', () => {
  const all = Object.entries(erasures).flatMap(([what, forms]) => Object.entries(forms).map(([form, one]) => ({ what, form, ...one })))
  for (const { what, form, fill, erase, shown } of all) {
    test(`${what} ${form}`, async () => {
      const words = canaryText(600)
      await backedUp((memory) => fill(memory, words))
      for (const name of readdirSync(path('in-use')).filter((one) => one.startsWith('other'))) rmSync(path(`in-use/${name}`))
      await inStore(erase)
      const { replayed, replaced } = await restore()
      expect(replaced).toBe(true)
      expect(replayed.filter(({ outcome }) => outcome === 'refused')).toEqual([])
      expect(replayed.some(({ outcome, from }) => outcome === 'erased' && from === 'store')).toBe(true)
      if (shown === undefined) {
        expect(tracesOf([words], path('kept/backup.db'))).not.toEqual([])
        expect(tracesOf([words], path('in-use/store.db'))).toEqual([])
      } else expect(await inStore(shown)).not.toContain('one-1')
      expect(problemsOf(path('in-use/store.db'))).toEqual([])
      expect(readdirSync(path('in-use')).filter((name) => !name.startsWith('store.db-'))).toEqual(['store.db'])
    })
  }

  test('nor with an older backup, once a restore has gone by: the receipts were carried over', async () => {
    const words = canaryText(300)
    await backedUp((memory) => say(memory, 'monday', 'the pier is green'))
    await inStore(async (memory) => {
      await say(memory, 'tuesday', words)
      await memory.backup(path('kept/later.db'))
      await memory.for('ada').sessions.delete('tuesday')
    })
    // Nothing of Tuesday is in the first backup: its receipt has nothing to do there.
    expect((await restore()).replayed).toMatchObject([{ outcome: 'gone' }])
    expect((await restore({ file: path('kept/later.db') })).replayed).toMatchObject([{ outcome: 'erased' }])
    expect(tracesOf([words], path('in-use/store.db'))).toEqual([])
    expect(await inStore((memory) => said(memory, 'monday'))).toEqual(['the pier is green'])
  })

  test('by a file of receipts, where the old store is lost; of another store they are refused', async () => {
    const words = canaryText(300)
    await backedUp((memory) => told(memory, words))
    const receipts = await inStore(async (memory) => {
      await memory.for('ada').sessions.delete('monday')
      return memory.receipts.list()
    })
    await using other = await open('other.db')
    await say(other, 'monday', 'x')
    const foreign = await other.for('ada').sessions.delete('monday')
    rmSync(path('in-use'), { recursive: true })
    const lines = [...receipts, foreign, undefined].map((receipt, place) => ({ line: place + 1, receipt: structuredClone(receipt) }))
    const given = (async function* () {
      yield* lines
    })()
    const { replayed, replaced } = await restore({ receipts: given, overwrite: false })
    expect(replaced).toBe(false)
    expect(replayed.map(({ line, from, outcome, reason }) => [line, from, reason ?? outcome])).toEqual([
      [1, 'file', 'erased'],
      [2, 'file', 'of another store'],
      [3, 'file', 'not a receipt'],
    ])
    expect(tracesOf([words], path('in-use/store.db'))).toEqual([])
  })

  test('nor by an import: ids that were forgotten are known to the new store', async () => {
    const line = { role: 'user', content: 'the ferry leaves at nine', id: 'm-1' } as const
    await backedUp((memory) => say(memory, 'monday', 'x'))
    const lines = await inStore(async (memory) => {
      await memory.for('ada').append('tuesday', line)
      const exported = await Array.fromAsync(memory.for('ada').export())
      await memory.for('ada').sessions.delete('tuesday')
      return exported
    })
    await restore()
    await inStore(async (memory) => {
      await memory.for('ada').import(lines)
      expect(await said(memory, 'tuesday')).toEqual([])
    })
  })
})
