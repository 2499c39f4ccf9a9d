import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { assistantsOwn, personsNews, remembered } from '../fixtures/memory/genuine-talk.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

/** Forms in which an assistant repeats a memory, some over two messages. */
const forms: readonly ((told: string, words: readonly string[]) => readonly string[])[] = [
  (told) => [`As you told me, ${told} Shall I do anything about it?`],
  (told) => [told],
  (told) => [`You said: “${told}”`],
  (told) => [`Here is everything that I know:\n\n- ${told}\n- Nothing else.`],
  (told) => [told.toUpperCase()],
  (told) => [`> ${told.replaceAll(',', ' –')}\n\nIs that still right?`],
  (_told, words) => [`I remember: ${words.map((word) => `**${word}**`).join(' ')}!`],
  (_told, words) => [`It began so: ${words.slice(0, 10).join(' ')} …`, `… ${words.slice(10).join(' ')} And now you know.`],
  (told) => [JSON.stringify({ answer: told, sure: true })],
  (_told, words) => [`1. ${words.slice(0, 9).join(' ')}\n2. ${words.slice(9).join('\n')}\n\nThat is the list.`],
  (told) => [`${told.replace(/\.$/, '')}; so much for that. ${told}`],
  (told) => [`<answer>${told}</answer>`],
  (told) => [`Sure, ${told.charAt(0).toLowerCase()}${told.slice(1, -1)}, and I will keep it in mind.`],
  (told) => [`| what | since |\n|---|---|\n| ${told} | today |`],
  (_told, words) => [`Well (${words.join('   ')}), what next?`],
]

/** The words of a text, by which a copy is told in any form. */
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The most times that a text has any eight words of another one in a row. */
function copies(text: string, told: string): number {
  const [all, some] = [` ${wordsOf(text).join(' ')} `, wordsOf(told)]
  const runs = some.slice(7).map((_, from) => ` ${some.slice(from, from + 8).join(' ')} `)
  return Math.max(...runs.map((run) => all.split(run).length - 1))
}

async function told(options: Parameters<typeof openForTest>[0] = {}): Promise<UserMemory> {
  const memory = await openForTest({ embeddingModel: false, layers: { gists: true, facts: true, bank: true }, ...options })
  const ada = memory.for('ada')
  for (const [place, content] of remembered.entries()) await ada.append(`past ${place}`, { role: 'user', content })
  return ada
}

// requirement: P4.10
test('thirty echoes with words around them: no later context and no tool shows a copy, and no item is made of one', async () => {
  const ada = await told()
  const shown: number[] = []
  for (let round = 0; round < 30; round += 1) {
    const memory = remembered[round % remembered.length] ?? ''
    const query = `What did I say about ${wordsOf(memory).slice(2, 7).join(' ')}?`
    // Two rounds in one session, then the next one.
    const session = `talk ${Math.floor(round / 2)}`
    expect(copies((await ada.context({ session, query })).text, memory), `round ${round}`).toBe(1)
    const replies = forms[round % forms.length]?.(memory, memory.split(' ')) ?? []
    await ada.append(session, [{ role: 'user', content: query }, ...replies.map((content) => ({ role: 'assistant' as const, content }))])
    for (const asked of [{ session, query }, { session: 'later', query }, { query: memory }, { session, query: 'And then?' }]) {
      const { text } = await ada.context(asked)
      shown.push(...remembered.map((one) => copies(text, one)))
    }
    shown.push(copies(JSON.stringify(await ada.tools().memory_recall.execute({ query: memory, limit: 20 })), memory))
  }
  expect(Math.max(...shown)).toBe(1)
  for (let talk = 0; talk < 15; talk += 1) {
    await ada.distil(`talk ${talk}`)
    const gist = (await ada.gists.get(`talk ${talk}`))?.text ?? ''
    expect(Math.max(...remembered.map((one) => copies(gist, one)))).toBe(0)
  }
  expect(await ada.facts.list()).toEqual([])
  expect(await ada.instructions.list()).toEqual([])
  const { text: bank } = await ada.bank.render()
  expect(Math.max(...remembered.map((one) => copies(bank, one)))).toBe(0)
})

test('the words around an echo are shown where it stood', async () => {
  const ada = await told()
  const memory = remembered[0] ?? ''
  const query = 'When does the upper gallery close?'
  await ada.context({ session: 'now', query })
  await ada.append('now', [
    { role: 'user', content: query },
    { role: 'assistant', content: `As you told me: ${memory} Shall I book a train to Lindau?` },
    { role: 'assistant', content: memory },
  ])
  const { text } = await ada.context({ session: 'now', query })
  expect(text).toMatch(/ assistant: As you told me: \[…\] Shall I book a train to Lindau\?\n.* assistant: \[…\]\n/)
  const later = await ada.context({ session: 'later', query: 'Which train to Lindau for the upper gallery?' })
  expect(later.text).toMatch(/^assistant: As you told me: \[…\] Shall I book a train to Lindau\?$/m)
  // What was shown can be shown again, to the word.
  expect((await ada.contexts.get(later.id))?.text).toBe(later.text)
  const [hit] = (await ada.recall('train to Lindau')).hits
  expect(hit).toMatchObject({ text: `As you told me: ${memory} Shall I book a train to Lindau?`, recalled: [{ from: 16 }] })
})

test('what a tool answered beside an echo is not shown, and the words around the echo are', async () => {
  const ada = await told()
  const memory = remembered[3] ?? ''
  await ada.context({ session: 'now', query: 'What is Anselm allergic to?' })
  await ada.append('now', {
    role: 'assistant',
    parts: [
      { type: 'text', text: `Let me look. ${memory}` },
      { type: 'tool-weather', toolCallId: 'one', state: 'output-available', input: { city: 'Ulm' }, output: 'hail' },
      { type: 'text', text: `It hails. And ${memory} So stay in.` },
    ],
  })
  const { text } = await ada.context({ session: 'now', query: 'And then?' })
  expect(text).toMatch(/ assistant: Let me look\. \[…\] It hails\. And \[…\] So stay in\.$/m)
})

for (const where of ['now', 'another'])
  test(`people’s and agents’ own words on what was shown lose nothing: in ${where === 'now' ? 'the' : 'another'} session`, async () => {
    const ada = await told()
    for (const query of remembered) await ada.context({ session: where, query })
    await ada.append('now', [
      ...personsNews.map((content) => ({ role: 'user' as const, content })),
      ...assistantsOwn.map((content) => ({ role: 'assistant' as const, content })),
    ])
    const losing = (await ada.messages('now')).filter(({ recalled }) => recalled !== undefined).map(({ content }) => content)
    expect(losing).toEqual([])
  })

test('a context of an earlier version, which showed an echo as said, is shown again to the word', async () => {
  const store = newStore()
  const ada = await told({ store })
  const memory = remembered[0] ?? ''
  const query = 'When does the upper gallery close?'
  await ada.context({ session: 'now', query })
  await ada.append('now', { role: 'assistant', content: `As you told me: ${memory} Shall I book a train?` })
  const changed = (recalled: string | null): void => {
    const file = new Database(store)
    file.prepare(`update message set recalled = ? where role = 'assistant'`).run(recalled)
    file.close()
  }
  const echo = JSON.stringify((await ada.messages('now'))[0]?.recalled)
  changed(null)
  const before = await ada.context({ session: 'now', query })
  expect(copies(before.text, memory)).toBe(2)
  changed(echo)
  expect(await ada.contexts.get(before.id)).toMatchObject({ text: before.text })
  expect(copies((await ada.context({ session: 'now', query })).text, memory)).toBe(1)
})
