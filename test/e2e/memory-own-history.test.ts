import { expect, test } from 'vitest'
import type { Context, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { settled } from '../fixtures/distil/talk.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory()
const asked = 'When does the ferry to Iona leave?'

async function twoTalks(ada: UserMemory): Promise<void> {
  await ada.append('past', [
    { role: 'user', content: 'The ferry to Iona leaves at nine, said the harbour master.' },
    { role: 'assistant', content: 'Noted: the Iona ferry at nine.' },
  ])
  await ada.append('chat', [
    { role: 'user', content: 'I plan the ferry to Iona, and I live in Oban.' },
    { role: 'assistant', content: 'A ferry to Iona, gladly planned from Oban.' },
    { role: 'user', content: asked },
  ])
}

function tiersOf({ sections }: Context): string[] {
  return sections.map(({ tier }) => tier)
}

test('a host that keeps its own history gets no turn of it again: excludeSession leaves the session out', async () => {
  const ada = shared.user()
  await twoTalks(ada)
  // Without it the host's turns come twice, as recent turns or as details.
  expect((await ada.context({ session: 'chat', query: asked })).text).toContain('gladly planned')
  expect((await ada.context({ session: 'chat', query: asked, tiers: { recent: { limit: 0 } } })).text).toContain('gladly planned')
  for (const session of [{}, { session: 'chat' }, { session: 'chat', tiers: { recent: { limit: 0 } } }]) {
    const context = await ada.context({ ...session, excludeSession: 'chat', query: asked })
    expect(context.text).toContain('said the harbour master')
    expect(context.text).not.toMatch(/gladly planned|I plan|When does/)
    expect(tiersOf(context)).toEqual(['details'])
  }
  // Another session may be left out beside the running one.
  const other = await ada.context({ session: 'chat', excludeSession: 'past', query: asked })
  expect(other.text).toContain('gladly planned')
  expect(other.text).not.toContain('harbour master')
  expect((await ada.context({ excludeSession: 'nowhere', query: asked })).text).toContain('gladly planned')
})

test('recent: { limit } bounds the recent turns, and 0 switches them off', async () => {
  const ada = shared.user()
  await twoTalks(ada)
  const recent = async (limit: number): Promise<string | undefined> =>
    (await ada.context({ session: 'chat', query: 'xylophone', tiers: { recent: { limit }, details: { limit: 0 } } })).sections.find(
      ({ tier }) => tier === 'recent',
    )?.text
  expect(await recent(0)).toBeUndefined()
  expect((await recent(1))?.split('\n')).toEqual([expect.any(String), expect.stringContaining(asked)])
  expect((await recent(2))?.split('\n')).toHaveLength(3)
})

test('what is only of the excluded session goes with it, and what is known of the user stays', async () => {
  const clock = new ManualClock()
  const memory = await openForTest({
    clock,
    languageModel: false,
    layers: { gists: true, bank: true, notes: true, facts: true, instructions: true },
  })
  const ada = memory.for('ada')
  await twoTalks(ada)
  await ada.append('chat', [
    { role: 'user', content: 'From now on always name the pier of each ferry.' },
    { role: 'assistant', content: 'The pier of each ferry, from now on.' },
  ])
  await ada.blocks.set('plan', 'The crossing is on Friday.', { session: 'chat' })
  clock.advance(settled)
  await memory.upkeep.run({ project: 'default' })
  await memory.upkeep.run()
  await ada.notes.update('chat')
  const all = await ada.context({ session: 'chat', query: asked })
  expect(tiersOf(all)).toEqual(expect.arrayContaining(['instructions', 'blocks', 'profile', 'bank', 'notes', 'recent']))
  const leaf = (await ada.bank.entries({ granularity: 'conversation' })).find(({ session }) => session === 'chat')
  const [bullet = ''] = leaf?.bullets ?? []
  expect(bullet).not.toBe('')
  expect(all.text).toContain(bullet)
  const gist = (await ada.gists.get('chat'))?.text ?? 'none'
  const known = { session: 'chat', excludeSession: 'chat', query: asked }
  const context = await ada.context({ ...known, tiers: { gists: { share: 0.5 } }, maxTokens: 8_000 })
  const shown = context.sections.flatMap(({ items }) => items.map(({ id }) => id))
  expect(tiersOf(context)).toEqual(['instructions', 'blocks', 'profile', 'bank', 'gists', 'details'])
  expect(context.text).not.toContain(gist)
  expect(context.text).not.toContain(bullet)
  expect(shown).not.toContain(leaf?.id)
  expect(context.text).toContain('said the harbour master')
  expect(context.text).toContain('The crossing is on Friday.')
  expect(context.text).toContain('always name the pier')
  expect(context.text).toMatch(/lives in Oban/)
  const unnamed = await ada.context({ excludeSession: 'chat', query: asked, maxTokens: 8_000 })
  expect(unnamed.text).not.toContain(gist)
  expect(tiersOf(unnamed)).toContain('gists')
  // A fact that was said there answers still, and comes first.
  const { sections } = await ada.context({ excludeSession: 'chat', query: 'Where do I live?' })
  expect(sections.find(({ tier }) => tier === 'profile')?.items[0]?.reason).toMatch(/matches/)
})

test('a context that excludes a session is known in it: its echo is marked, though no session was named', async () => {
  const ada = shared.user()
  // In another session, an echo has sixteen words.
  const sentence = 'The ferry to Iona leaves at nine from the north pier, on Sundays at ten.'
  await ada.append('past', { role: 'user', content: sentence })
  const { text } = await ada.context({ excludeSession: 'chat', query: 'ferry to Iona' })
  expect(text).toContain(sentence)
  await ada.append('chat', { role: 'assistant', content: `As you said: ${sentence}` })
  const [answer] = await ada.messages('chat')
  expect(answer?.recalled?.length).toBeGreaterThan(0)
  await ada.append('elsewhere', { role: 'user', content: sentence })
  expect((await ada.messages('elsewhere'))[0]?.recalled).toBeUndefined()
})
