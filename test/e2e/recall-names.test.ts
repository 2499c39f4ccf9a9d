import { expect, test } from 'vitest'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false })

/** Two people say the same, so that only the name in a question can tell them apart. */
async function talkOf(names: readonly string[], others: readonly { readonly name: string; readonly content: string }[] = []) {
  const user = shared.user()
  const alike = names.map((name) => ({ name, content: 'The harbour was full of herring this morning.' }))
  for (const [session, said] of [alike, others].entries())
    await user.append(
      `talk ${session}`,
      said.map((message) => ({ role: 'user' as const, ...message })),
    )
  return async (question: string): Promise<string[]> => {
    const hits = (await user.recall(question)).hits.filter(({ text }) => text.includes('herring'))
    const [best] = hits
    // Of equal scores the newest comes first, and says nothing of the name.
    return hits.flatMap((hit) => (hit.kind === 'message' && hit.score === best?.score && hit.name !== undefined ? [hit.name] : []))
  }
}

test('a short name, a long one and a misspelt one find their speaker', async () => {
  const ask = await talkOf(['Melanie', 'Rob'])
  for (const name of ['Melanie', 'Mel', 'Melani', 'Malanie', 'Melaine'])
    expect([name, await ask(`What did ${name} say of herring?`)]).toEqual([name, ['Melanie']])
  expect(await ask("Mel's herring?")).toEqual(['Melanie'])
  expect(await ask('Was Robert full of herring?')).toEqual(['Rob'])
})

test('others call a speaker by the short name, and it stays the speaker’s', async () => {
  const ask = await talkOf(['Melanie', 'Rob'], [{ name: 'Rob', content: 'Good to see you, Mel!' }])
  expect(await ask('What did Mel say of herring?')).toEqual(['Melanie'])
})

test('two similar names are not merged', async () => {
  const samAndSam = await talkOf(['Samantha', 'Samuel'])
  expect(await samAndSam('What did Sam say of herring?')).toHaveLength(2)
  const marias = await talkOf(['Maria', 'Marie'])
  expect(await marias('What did Maria say of herring?')).toEqual(['Maria'])
  expect(await marias('What did Marie say of herring?')).toEqual(['Marie'])
  expect(await marias('What did Mario say of herring?')).toHaveLength(2)
})

test('of two speakers with one first name, the family name in the question tells which', async () => {
  const ask = await talkOf(['Anna Berg', 'Anna Lind', 'Rob'])
  expect(await ask('What did Anna Lind say of herring?')).toEqual(['Anna Lind'])
  expect(await ask("What was Anna Berg's herring?")).toEqual(['Anna Berg'])
  expect(await ask('What did Anna say of herring?')).toHaveLength(3)
})

test('"may" in small letters is no name', async () => {
  const ask = await talkOf(['May', 'Rob'])
  expect(await ask('What may Rob say of herring?')).toEqual(['Rob'])
  expect(await ask('What did May say of herring?')).toEqual(['May'])
  expect(await ask('what may they say of herring?')).toHaveLength(2)
})

test('the name of somebody else is not taken for a speaker’s', async () => {
  const ask = await talkOf(
    ['John', 'Melanie'],
    [
      { name: 'John', content: 'Melania came late.' },
      { name: 'Melanie', content: 'My cousin Mel has a boat. Mel sails.' },
    ],
  )
  for (const name of ['Johnson', 'Joan', 'Jo', 'Melania', 'Mel'])
    expect([name, (await ask(`What did ${name} say of herring?`)).length]).toEqual([name, 2])
})

test('a word that begins like a name is no name', async () => {
  const ask = await talkOf(['Carlos', 'Rob'])
  expect(await ask('Was the car full of herring?')).toHaveLength(2)
  expect(await ask('Robe or herring?')).toHaveLength(2)
})

test('a month or a day that begins like a name is no name', async () => {
  const ask = await talkOf(['Jan', 'Sun', 'Rob'])
  for (const day of ['January', 'Sunday', 'Januar']) expect(await ask(`What did they say of herring in ${day}?`)).toHaveLength(3)
})

test('a name that is a common word names its speaker where it is written as a name', async () => {
  const ask = await talkOf(['Will', 'May'])
  expect(await ask('What will they say of herring that may rot?')).toHaveLength(2)
  expect(await ask('Will May eat herring?')).toEqual(['May'])
  expect(await ask("Will's herring?")).toEqual(['Will'])
  expect(await ask('What will Will say of herring?')).toEqual(['Will'])
  expect(await ask('What did WILL say of herring?')).toEqual(['Will'])
})

test('of two people a question is about the first, unless they are named in one breath', async () => {
  const ask = await talkOf(['Ada', 'Ben'])
  expect(await ask('What did Ada tell Ben of herring?')).toEqual(['Ada'])
  expect(await ask('What did Ben tell Ada of herring?')).toEqual(['Ben'])
  for (const question of ['What did Ada and Ben say of herring?', 'What did Ben, Ada say of herring?', 'Ada or Ben: who had herring?'])
    expect(await ask(question)).toHaveLength(2)
})
