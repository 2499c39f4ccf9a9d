import { expect, test } from 'vitest'
import { distilling, modelName } from '../fixtures/distil/open.ts'
import { settled } from '../fixtures/distil/talk.ts'
import { isForSharing } from '../fixtures/distil/writer.ts'

// Joined at run time: a scanner that reads this repository finds no secret in it.
const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
const iban = 'DE44 5001 0517 5407 3249 31'

const layers = { gists: true, facts: true, documents: true, notes: true, bank: true } as const

async function told(writer: 'model' | 'extractive') {
  const it = await distilling({ layers, ...(writer === 'extractive' ? { languageModel: false } : {}) })
  const acme = it.memory.project('acme')
  await acme.bank.setSharing(true)
  it.clock.advance(1)
  const [ada, bob] = ['ada', 'bob'].map((user) => it.memory.for({ project: 'acme', user }))
  if (ada === undefined || bob === undefined) throw new TypeError('no users')
  await ada.append('one', [
    { role: 'user', name: token, content: 'The goat cheese of the lighthouse kitchen comes from Hjelm.' },
    { role: 'user', name: 'Ada', content: 'The oat milk of the lighthouse kitchen comes from Samsø.' },
    { role: 'user', name: 'Ada', content: `The rent of the lighthouse kitchen goes to ${iban} on Mondays.` },
    { role: 'user', name: 'Ada', content: 'The keeper is Mira, and the wifi password is hafenblick7.' },
  ])
  it.clock.advance(settled)
  await it.memory.upkeep.run()
  return { ...it, acme, ada, bob }
}

test.each(['extractive', 'model'] as const)(
  'a token in the place of a speaker’s name, a password and an account number do not reach other members: %s',
  async (writer) => {
    const { acme, bob } = await told(writer)
    const entries = await acme.bank.entries()
    expect(entries.map((entry) => entry.writer)).toEqual([writer === 'model' ? modelName : 'extractive'])
    const seen = JSON.stringify([
      entries,
      await acme.bank.render(),
      (await acme.bank.search('goat cheese lighthouse kitchen')).hits,
      (await acme.bank.search('rent lighthouse kitchen')).hits,
      (await bob.recall('who talks of the lighthouse kitchen, goat cheese and rent?')).hits,
      (await bob.context({ query: 'lighthouse kitchen goat cheese rent wifi' })).text,
    ])
    expect(seen).toContain('lighthouse kitchen')
    for (const secret of [token, iban, 'hafenblick7']) expect(seen, secret).not.toContain(secret)
  },
)

test('no prompt holds a token in the place of a speaker’s name, nor a password; a private prompt may hold an account number', async () => {
  const { ada, server, clock, memory } = await told('model')
  await ada.append('two', [
    { role: 'user', name: token, content: `My dog is called Rufus. My name is ${token}.` },
    { role: 'assistant', content: 'Noted.' },
  ])
  clock.advance(settled)
  await memory.upkeep.run()
  await ada.notes.update('two')
  const prompts = server.requests
  expect(prompts.some(({ schemaName = '' }) => schemaName.includes('notes'))).toBe(true)
  for (const request of prompts) for (const secret of [token, 'hafenblick7']) expect(JSON.stringify(request)).not.toContain(secret)
  const withAccount = prompts.filter(({ prompt }) => prompt.includes(iban))
  expect(withAccount.length).toBeGreaterThan(0)
  expect(withAccount.filter(isForSharing)).toEqual([])
  expect(prompts.filter(isForSharing).length).toBeGreaterThan(0)
})
