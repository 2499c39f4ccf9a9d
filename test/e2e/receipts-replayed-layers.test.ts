import { describe, expect, test } from 'vitest'
import type { Memory, Receipt } from '../../packages/varve/src/index.ts'
import { day, settled, talk } from '../fixtures/distil/talk.ts'
import { backups, outcomes, said, say } from '../fixtures/memory/backups.ts'

const { open, erasedAfterBackup, pass } = backups({ languageModel: false, layers: { gists: true, facts: false, bank: true } })

const upkeep = async (memory: Memory): Promise<void> => {
  pass(settled)
  await memory.upkeep.run({ maxSeconds: 60 })
}

const conversations = async (memory: Memory) => {
  const found = await memory.for('ada').bank.entries({ granularity: 'conversation' })
  return found.flatMap(({ session = '' }) => session).toSorted()
}

const entryOf = async (memory: Memory, session: string): Promise<string> => {
  const found = await memory.for('ada').bank.entries({ granularity: 'conversation' })
  return found.find((entry) => entry.session === session)?.id ?? ''
}

async function withBank(memory: Memory): Promise<void> {
  await memory.for('ada').append('one', talk('one', 3))
  await memory.for('ada').append('two', talk('two', 3))
  await upkeep(memory)
}

async function shared(memory: Memory): Promise<void> {
  const { bank } = memory.project('default')
  await bank.setSharing(true, { assistants: true, acknowledge: true, by: 'grace' })
  await memory
    .for('ada')
    .append('one', [
      { role: 'user', content: 'Which port does the payment service use?' },
      { role: 'assistant', content: 'The payment service listens on port 8443 behind the gateway.' },
      ...talk('one', 3),
    ])
  await memory.for('bob').append('two', talk('two', 3))
  await upkeep(memory)
}

const banner = async (memory: Memory): Promise<string> => (await memory.project('default').bank.render()).text

/** Replays receipts twice: the second time nothing is there. */
async function replayed(memory: Memory, receipts: readonly Receipt[]): Promise<string[]> {
  const first = await outcomes(memory, receipts)
  expect(await outcomes(memory, receipts)).toEqual(receipts.map(() => 'gone'))
  return first
}

describe('a receipt of a bank is replayed', () => {
  test('of an entry: a kept deletion is kept again and can be taken back, a forgotten one cannot', async () => {
    for (const forget of [false, true]) {
      const receipts = await erasedAfterBackup(withBank, async (memory) => {
        const receipt = await memory.for('ada').bank.delete(await entryOf(memory, 'one'), { forget })
        expect(receipt.erased).toMatchObject({ what: 'bank', ...(forget ? {} : { kept: true }) })
        expect(receipt.erased?.kept).toBe(forget ? undefined : true)
      })
      const backup = await open('backup.db')
      expect(await conversations(backup)).toEqual(['one', 'two'])
      expect(await replayed(backup, receipts)).toEqual(['erased'])
      expect(await conversations(backup)).toEqual(['two'])
      const changes = await backup.for('ada').bank.history()
      expect(changes.filter(({ restorable }) => restorable)).toHaveLength(forget ? 0 : 1)
      await backup.close()
    }
  })

  test('a kept deletion that is too old to be taken back is not kept again', async () => {
    const receipts = await erasedAfterBackup(withBank, async (memory) => memory.for('ada').bank.delete(await entryOf(memory, 'one')))
    await using backup = await open('backup.db')
    pass(31 * day)
    expect(await outcomes(backup, receipts)).toEqual(['erased'])
    expect(await backup.for('ada').bank.history()).toEqual([])
  })

  test('of all of it, with the words kept of earlier changes, but not with newer entries', async () => {
    for (const isNewer of [false, true]) {
      const receipts = await erasedAfterBackup(
        async (memory) => {
          await withBank(memory)
          await memory.for('ada').bank.delete(await entryOf(memory, 'one'))
        },
        (memory) => memory.for('ada').bank.clear({ forget: true }),
      )
      const backup = await open('backup.db')
      const [deletion] = await backup.for('ada').bank.history()
      expect(deletion).toMatchObject({ act: 'delete', restorable: true })
      if (isNewer) await backup.for('ada').append('three', talk('three', 3))
      if (isNewer) await upkeep(backup)
      expect((await replayed(backup, receipts.slice(0, 1)))[0]).toBe('erased')
      expect(await conversations(backup)).toEqual(isNewer ? ['three', 'two'] : [])
      expect((await backup.for('ada').bank.history()).filter(({ restorable }) => restorable)).toEqual([])
      await backup.close()
    }
  })

  test('of the words that upkeep erased after 30 days', async () => {
    const receipts = await erasedAfterBackup(
      async (memory) => {
        await withBank(memory)
        await memory.for('ada').bank.delete(await entryOf(memory, 'one'))
      },
      async (memory) => {
        pass(31 * day)
        await memory.upkeep.run({ maxSeconds: 60 })
      },
    )
    const [pruned] = receipts
    expect(pruned).toMatchObject({ erased: { what: 'kept' }, counts: { kept: 2 } })
    await using backup = await open('backup.db')
    expect(await backup.receipts.verify(pruned ?? '')).toMatchObject({ state: 'verified' })
    expect(await backup.for('ada').bank.history()).toMatchObject([{ act: 'delete' }])
    expect(await backup.receipts.replay(receipts.slice(0, 1))).toMatchObject([{ outcome: 'erased', receipts: [{ counts: { kept: 2 } }] }])
    expect(await backup.for('ada').bank.history()).toEqual([])
    expect(await outcomes(backup, receipts.slice(0, 1))).toEqual(['gone'])
  })
})

describe('a receipt of sharing is replayed', () => {
  test('of a project, of a user, of a session, of one member’s words', async () => {
    const ends: Readonly<Record<string, (memory: Memory) => Promise<unknown>>> = {
      project: (memory) => memory.project('default').bank.setSharing(false),
      user: (memory) => memory.for('ada').settings.set({ share: false }),
      session: (memory) => memory.for('ada').sessions.share('one', false),
      member: (memory) => memory.project('default').bank.withdraw('ada'),
    }
    for (const [who, end] of Object.entries(ends)) {
      const receipts = await erasedAfterBackup(shared, end)
      const backup = await open('backup.db')
      expect(await banner(backup), who).toContain('one-1')
      expect(await replayed(backup, receipts.slice(0, 1)), who).toEqual(['erased'])
      expect(await banner(backup), who).not.toContain('one-1')
      expect((await backup.project('default').sharing()).on, who).toBe(who !== 'project')
      await upkeep(backup)
      expect(await banner(backup), who).not.toContain('one-1')
      await backup.close()
    }
  })

  test('of assistants’ answers: the project shares on, without them', async () => {
    const receipts = await erasedAfterBackup(shared, (memory) => memory.project('default').bank.setSharing(true, { assistants: false }))
    expect(receipts[0]?.erased).toMatchObject({ what: 'sharing', answers: true })
    await using backup = await open('backup.db')
    expect(await banner(backup)).toContain('port 8443')
    expect(await replayed(backup, receipts.slice(0, 1))).toEqual(['erased'])
    expect(await backup.project('default').sharing()).toMatchObject({ on: true })
    expect((await backup.project('default').sharing()).assistants).toBeUndefined()
    await upkeep(backup)
    expect(await banner(backup)).toContain('one-1')
    expect(await banner(backup)).not.toContain('port 8443')
  })
})

test('a receipt of notes that were deleted by themselves leaves the session', async () => {
  const receipts = await erasedAfterBackup(
    async (memory) => {
      await say(memory, 'monday', 'the ferry leaves at nine')
      await memory.for('ada').notes.edit('monday', '# State\n\nThe pier is green.')
    },
    (memory) => memory.for('ada').notes.delete('monday'),
  )
  await using backup = await open('backup.db')
  expect((await backup.for('ada').notes.get('monday'))?.content).toContain('green')
  expect(await replayed(backup, receipts)).toEqual(['erased'])
  expect(await backup.for('ada').notes.get('monday')).toBeUndefined()
  expect(await said(backup, 'monday')).toHaveLength(1)
})

describe('a replay reaches what a forget reaches', () => {
  test('texts kept so that a change can be taken back, also of a user with newer memory', async () => {
    for (const isNewer of [false, true]) {
      const receipts = await erasedAfterBackup(
        async (memory) => {
          await withBank(memory)
          await memory.for('ada').gists.write('one', 'The canary sings.')
          await memory.for('ada').gists.write('one', 'A second gist.')
          await memory.for('ada').bank.delete(await entryOf(memory, 'two'))
        },
        (memory) => memory.for('ada').forget({ all: true }),
      )
      const backup = await open('backup.db')
      if (isNewer) await say(backup, 'friday', 'a new week')
      expect((await replayed(backup, receipts.slice(0, 1)))[0]).toBe('erased')
      expect((await backup.for('ada').bank.history()).filter(({ restorable }) => restorable)).toEqual([])
      expect(await said(backup, 'friday')).toHaveLength(isNewer ? 1 : 0)
      await backup.close()
    }
  })

  test('imports that wait, though nothing else of the receipt is there', async () => {
    const lines: string[] = []
    const receipts = await erasedAfterBackup(
      async (memory) => {
        const other = await open('other.db')
        await say(other, 'monday', 'the canary sings')
        for await (const line of other.for('ada').export()) lines.push(line)
        await other.close()
        expect(await memory.for('ada').import(lines)).toMatchObject({ state: 'waiting' })
      },
      async (memory) => {
        await say(memory, 'tuesday', 'after the backup')
        await memory.for('ada').forget({ session: 'tuesday' })
      },
    )
    await using backup = await open('backup.db')
    expect(await backup.for('ada').imports.list()).toHaveLength(1)
    expect(await replayed(backup, receipts)).toEqual(['erased'])
    expect(await backup.for('ada').imports.list()).toEqual([])
    const [again] = await backup.receipts.list()
    expect(again).toMatchObject({ erased: { what: 'imports' }, counts: { import: 1 }, physical: 'done' })
    await backup.for('ada').import(lines)
    expect(await outcomes(backup, receipts)).toEqual(['gone'])
    expect(await backup.for('ada').imports.list()).toHaveLength(1)
  })

  test('of a replaced message, imports that wait too, though the message is not there: they may hold its old words', async () => {
    const receipts = await erasedAfterBackup(
      async (memory) => {
        const other = await open('other.db')
        await say(other, 'monday', 'the canary sings')
        expect(await memory.for('ada').import(other.for('ada').export())).toMatchObject({ state: 'waiting' })
        await other.close()
      },
      async (memory) => {
        await say(memory, 'monday', 'the canary sings')
        const [first] = await memory.for('ada').messages('monday')
        await memory.for('ada').replace(first?.id ?? '', 'the bird sings')
      },
    )
    expect(receipts.map(({ erased }) => erased?.what)).toEqual(['words'])
    await using backup = await open('backup.db')
    expect(await replayed(backup, receipts)).toEqual(['erased'])
    expect(await backup.for('ada').imports.list()).toEqual([])
  })

  test('of a message that had been replaced before the backup, and so stands elsewhere', async () => {
    const receipts = await erasedAfterBackup(
      async (memory) => {
        await say(memory, 'monday', 'the ferry leaves at nine', 'the pier is green')
        const [first] = await memory.for('ada').messages('monday')
        await memory.for('ada').replace(first?.id ?? '', 'the ferry leaves at ten')
      },
      async (memory) => {
        const [first] = await memory.for('ada').messages('monday')
        expect(first?.content).toBe('the ferry leaves at ten')
        await memory.for('ada').forget({ messages: [first?.id ?? ''] })
      },
    )
    await using backup = await open('backup.db')
    expect(await replayed(backup, receipts.slice(0, 1))).toEqual(['erased'])
    expect(await said(backup, 'monday')).toEqual(['the pier is green'])
  })

  test('an import that was discarded: it alone', async () => {
    const lines: Record<string, string[]> = { one: [], two: [] }
    const receipts = await erasedAfterBackup(
      async (memory) => {
        const other = await open('other.db')
        for (const export_ of Object.values(lines)) {
          await say(other, 'monday', 'the canary sings')
          for await (const line of other.for('ada').export()) export_.push(line)
          await memory.for('ada').import(export_)
        }
        await other.close()
      },
      async (memory) => {
        const [newest] = await memory.for('ada').imports.list()
        await memory.for('ada').imports.discard(newest?.id ?? '')
      },
    )
    await using backup = await open('backup.db')
    expect(await backup.for('ada').imports.list()).toHaveLength(2)
    expect(await replayed(backup, receipts)).toEqual(['erased'])
    expect(await backup.for('ada').imports.list()).toHaveLength(1)
    expect((await backup.receipts.list())[0]).toMatchObject({ erased: receipts[0]?.erased, counts: { import: 1 }, physical: 'done' })
    expect(await outcomes(backup, receipts)).toEqual(['gone'])
    // The same lines may come again: they are another import.
    await backup.for('ada').import(lines['two'] ?? [])
    expect(await outcomes(backup, receipts)).toEqual(['gone'])
    expect(await backup.for('ada').imports.list()).toHaveLength(2)
  })

  test('messages by their hosts’ ids: they are not stored again', async () => {
    const messages = ['x1', 'x2'].map((id) => ({ role: 'user' as const, id, content: `said as ${id}` }))
    const receipts = await erasedAfterBackup(
      (memory) => memory.for('ada').append('monday', messages),
      async (memory) => {
        await memory.for('ada').forget({ messages: [{ session: 'monday', externalId: 'x1' }] })
        await memory.for('ada').replace({ session: 'monday', externalId: 'x2' }, 'said anew')
      },
    )
    expect(receipts.map(({ erased }) => erased?.what)).toEqual(['words', 'messages'])
    await using backup = await open('backup.db')
    expect(await replayed(backup, receipts)).toEqual(['erased', 'erased'])
    expect(await said(backup, 'monday')).toEqual([])
    expect(await backup.for('ada').append('monday', messages)).toMatchObject({ messages: [] })
    expect(await said(backup, 'monday')).toEqual([])
  })
})
