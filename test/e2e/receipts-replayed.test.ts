import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Memory, type Receipt, verifyReceipt } from '../../packages/varve/src/index.ts'
import { asRead, backups, outcomes, said, say } from '../fixtures/memory/backups.ts'

const { open, erasedAfterBackup } = backups()

const talks = async (memory: Memory): Promise<void> => {
  await say(memory, 'monday', 'the ferry leaves at nine', 'the pier is green')
  await say(memory, 'tuesday', 'the harbour is closed on Sundays')
  await memory.for('bob').append('monday', { role: 'user', content: 'bob has a boat' })
}

describe('a receipt is replayed on a backup', () => {
  test('of a session', async () => {
    const receipts = await erasedAfterBackup(talks, (memory) => memory.for('ada').sessions.delete('monday'))
    await using backup = await open('backup.db')
    expect(await said(backup, 'monday')).toHaveLength(2)
    expect(await outcomes(backup, receipts)).toEqual(['erased'])
    expect(await said(backup, 'monday')).toEqual([])
    expect(await said(backup, 'tuesday')).toHaveLength(1)
    expect((await backup.for('bob').messages('monday')).map(({ content }) => content)).toEqual(['bob has a boat'])
    expect(await outcomes(backup, receipts)).toEqual(['gone'])
  })

  test('of messages, and of those before a time', async () => {
    const receipts = await erasedAfterBackup(talks, async (memory) => {
      const [first] = await memory.for('ada').messages('monday')
      const [other] = await memory.for('ada').messages('tuesday')
      await memory.for('ada').forget({ messages: [first?.id ?? ''] })
      await memory.for('ada').forget({ session: 'tuesday', before: (other?.at ?? 0) + 1 })
    })
    await using backup = await open('backup.db')
    expect(await outcomes(backup, receipts)).toEqual(['erased', 'erased'])
    expect(await said(backup, 'monday')).toEqual(['the pier is green'])
    expect(await said(backup, 'tuesday')).toEqual([])
    expect(await outcomes(backup, receipts)).toEqual(['gone', 'gone'])
  })

  test('of more than 1,000 messages, in a few characters', async () => {
    const fill = async (memory: Memory): Promise<void> => {
      await memory.for('ada').append(
        'long',
        Array.from({ length: 1_200 }, (_, at) => ({ role: 'user' as const, content: `line ${at}` })),
      )
    }
    const receipts = await erasedAfterBackup(fill, async (memory) => {
      const messages = await memory.for('ada').messages('long', { limit: 2_000 })
      await memory.for('ada').forget({ messages: messages.slice(0, 1_150).map(({ id }) => id) })
    })
    expect(JSON.stringify(receipts[0]).length).toBeLessThan(700)
    await using backup = await open('backup.db')
    expect(await outcomes(backup, receipts)).toEqual(['erased'])
    expect(await backup.for('ada').messages('long', { limit: 2_000 })).toHaveLength(50)
  })

  test('of all of a user, and of a project', async () => {
    for (const erase of [
      (memory: Memory) => memory.for('ada').forget({ all: true }),
      (memory: Memory) => memory.projects.delete('default'),
    ]) {
      const receipts = await erasedAfterBackup(talks, erase)
      const backup = await open('backup.db')
      expect(await outcomes(backup, receipts)).toEqual(['erased'])
      expect(await said(backup, 'monday')).toEqual([])
      expect(await outcomes(backup, receipts)).toEqual(['gone'])
      await backup.close()
    }
  })

  test('of a document, a block and the words of a replaced message', async () => {
    const fill = async (memory: Memory): Promise<void> => {
      await talks(memory)
      await memory.for('ada').documents.edit('The Pier', '- green')
      await memory.for('ada').blocks.set('habits', 'rises at six')
      await memory.for('ada').blocks.set('mood', 'calm', { session: 'monday' })
    }
    const receipts = await erasedAfterBackup(fill, async (memory) => {
      const ada = memory.for('ada')
      const [first] = await ada.messages('monday')
      await ada.replace(first?.id ?? '', 'the ferry leaves at ten')
      await ada.documents.delete('the pier')
      await ada.blocks.delete('habits')
      await ada.blocks.delete('mood', { session: 'monday' })
    })
    await using backup = await open('backup.db')
    expect(await outcomes(backup, receipts)).toEqual(['erased', 'erased', 'erased', 'erased'])
    expect(await said(backup, 'monday')).toEqual(['the pier is green'])
    expect(await backup.for('ada').documents.list()).toEqual([])
    expect(await backup.for('ada').blocks.list()).toEqual([])
    expect(await outcomes(backup, receipts)).toEqual(['gone', 'gone', 'gone', 'gone'])
  })
})

describe('a replay leaves what came after the receipt', () => {
  const receiptsOf: Readonly<Record<string, (memory: Memory) => Promise<unknown>>> = {
    'a session': (memory) => memory.for('ada').forget({ session: 'monday' }),
    'all of a user': (memory) => memory.for('ada').forget({ all: true }),
    'a project': (memory) => memory.projects.delete('default'),
    'a time that is yet to come': (memory) => memory.for('ada').forget({ before: Date.UTC(2040, 0, 1) }),
  }
  for (const [name, erase] of Object.entries(receiptsOf)) {
    test(`of ${name}`, async () => {
      const receipts = await erasedAfterBackup(talks, erase)
      await using backup = await open('backup.db')
      await say(backup, 'monday', 'a new morning')
      await say(backup, 'friday', 'a new week')
      await backup.for('ada').blocks.set('new', 'of today')
      expect(await outcomes(backup, receipts)).toEqual(['erased'])
      expect(await said(backup, 'monday')).toEqual(['a new morning'])
      expect(await said(backup, 'friday')).toEqual(['a new week'])
      expect(await backup.for('ada').blocks.list()).toHaveLength(1)
      expect(await outcomes(backup, receipts)).toEqual(['gone'])
    })
  }

  test('a message that was replaced after the restore keeps its newest words', async () => {
    const receipts = await erasedAfterBackup(talks, async (memory) => {
      const [first] = await memory.for('ada').messages('monday')
      await memory.for('ada').replace(first?.id ?? '', 'the ferry leaves at ten')
    })
    await using backup = await open('backup.db')
    const [first] = await backup.for('ada').messages('monday')
    await backup.for('ada').replace(first?.id ?? '', 'the ferry leaves at noon')
    expect(await outcomes(backup, receipts)).toEqual(['gone'])
    expect(await said(backup, 'monday')).toEqual(['the ferry leaves at noon', 'the pier is green'])
  })
})

test('a project that is made anew while receipts are replayed keeps what came to it', async () => {
  const receipts = await erasedAfterBackup(talks, async (memory) => {
    const [first] = await memory.for('ada').messages('monday')
    await memory.for('ada').forget({ messages: [first?.id ?? ''] })
    await memory.projects.delete('default')
  })
  const deletion = receipts.find(({ erased }) => erased?.what === 'project')
  const filler = receipts.find(({ erased }) => erased?.what === 'messages')
  if (deletion === undefined || filler === undefined) return expect.unreachable()
  await using backup = await open('backup.db')
  const replaying = outcomes(backup, [deletion, ...Array.from({ length: 300 }, () => filler), deletion])
  while ((await backup.projects.list()).length > 0);
  await backup.for('cy').append('new', { role: 'user', content: 'a new morning' })
  const told = await replaying
  expect([told[0], told.at(-1)]).toEqual(['erased', 'gone'])
  expect((await backup.for('cy').messages('new')).map(({ content }) => content)).toEqual(['a new morning'])
})

test('a receipt holds no name and no word', async () => {
  const receipts = await erasedAfterBackup(
    async (memory) => {
      await memory.for({ project: 'acme-secret', user: 'ada@example.org' }).append('my-diagnosis', { role: 'user', content: 'a canary' })
    },
    async (memory) => {
      await memory.for({ project: 'acme-secret', user: 'ada@example.org' }).sessions.delete('my-diagnosis')
      await memory.projects.delete('acme-secret')
    },
  )
  expect(receipts.map(({ erased }) => erased?.what)).toEqual(['project', 'messages'])
  for (const word of ['acme', 'ada@', 'example.org', 'diagnosis', 'canary']) expect(JSON.stringify(receipts)).not.toContain(word)
})

test('receipts that do not verify are refused by their line, and the others are replayed', async () => {
  const receipts = await erasedAfterBackup(talks, async (memory) => {
    await memory.for('ada').sessions.delete('monday')
    await memory.for('ada').sessions.delete('tuesday')
  })
  const [tuesday, monday] = receipts
  if (tuesday === undefined || monday === undefined) return expect.unreachable()
  const changed = { ...monday, ...(tuesday.erased === undefined ? {} : { erased: tuesday.erased }) }
  const { signatures: _, ...unsigned } = tuesday
  const elsewhere = await open('other.db')
  await say(elsewhere, 'monday', 'x')
  const foreign = await elsewhere.for('ada').forget({ session: 'monday' })
  await elsewhere.close()
  await using backup = await open('backup.db')
  const none: Receipt = JSON.parse('{"id":"x"}')
  const replayed = await backup.receipts.replay([changed, unsigned, none, foreign, monday])
  expect(replayed.map(({ line, outcome, reason }) => [line, reason ?? outcome])).toEqual([
    [1, 'changed'],
    [2, 'unsigned'],
    [3, 'not a receipt'],
    [4, 'of another store'],
    [5, 'erased'],
  ])
  expect(await said(backup, 'tuesday')).toHaveLength(1)
})

describe('receipts are signed', () => {
  test('every operation that gives a receipt signs it and says what it erased', async () => {
    await using memory = await open('store.db')
    const ada = memory.for('ada')
    await talks(memory)
    await ada.documents.edit('Pier', '- green')
    await ada.blocks.set('habits', 'x')
    await memory.project('default').bank.setSharing(true)
    const [message] = await ada.messages('monday')
    const receipts: (Receipt | undefined)[] = [
      (await ada.replace(message?.id ?? '', 'the ferry leaves at ten')).receipt,
      await ada.documents.delete('Pier'),
      await ada.blocks.delete('habits'),
      await ada.bank.clear(),
      (await memory.project('default').bank.setSharing(false)).receipt,
      await ada.sessions.delete('tuesday'),
      await ada.forget({ session: 'monday' }),
      await ada.forget({ all: true }),
      await memory.for('nobody').forget({ all: true }),
      await memory.projects.delete('default'),
    ]
    for (const receipt of receipts.filter((one) => one !== undefined)) {
      expect(receipt.erased).toBeDefined()
      expect(await memory.receipts.verify(receipt)).toMatchObject({ state: 'verified', by: [{ by: 'store' }] })
      expect(await memory.receipts.verify(receipt.id)).toMatchObject({ state: 'verified' })
    }
  })

  test('pending and done both verify, and neither becomes the other', async () => {
    await using memory = await open('store.db')
    await talks(memory)
    const done = await memory.for('ada').forget({ session: 'monday' })
    expect(done.physical).toBe('done')
    const { doneAt: _, ...asPending } = { ...done, physical: 'pending' as const }
    for (const forged of [
      asPending,
      { ...done, doneAt: 1 },
      { ...done, at: 1 },
      { ...done, counts: { message: 1 } },
      { ...done, id: 'other' },
    ])
      expect(await memory.receipts.verify(forged)).toMatchObject({ state: 'failed', by: [{ by: 'store' }] })
    expect(await memory.receipts.verify({ ...done, reason: 'told' })).toMatchObject({ state: 'verified' })
  })

  test('anybody verifies with the public key alone, and a store without the key does not know it', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const memory = await open('store.db', { signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() })
    await talks(memory)
    const receipt = asRead(await memory.for('ada').forget({ session: 'monday' }))
    expect(receipt.signatures?.map(({ by }) => by)).toEqual(['store', 'ed25519'])
    expect(await memory.receipts.list()).toEqual([receipt])
    expect(await memory.receipts.get(receipt.id)).toEqual(receipt)
    await memory.close()
    expect(verifyReceipt(receipt, publicKey)).toMatchObject({ state: 'verified', by: [{ by: 'ed25519' }] })
    expect(verifyReceipt({ ...receipt, counts: { message: 1 } }, publicKey)).toMatchObject({ state: 'failed' })
    expect(verifyReceipt(receipt, generateKeyPairSync('ed25519').publicKey)).toMatchObject({ state: 'unknown' })
    await using other = await open('other.db')
    expect(await other.receipts.verify(receipt)).toMatchObject({ state: 'unknown' })
  })
})
