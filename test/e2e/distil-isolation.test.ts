import { expect, test } from 'vitest'
import { NotFound, type UserMemory } from '../../packages/varve/src/index.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { hour, settled, talk } from '../fixtures/distil/talk.ts'
import { copied, isDigest } from '../fixtures/distil/writer.ts'
import { about, documentModel, isEditor } from '../fixtures/documents/model.ts'
import { canary } from '../fixtures/memory/canaries.ts'
import { rejection } from '../fixtures/memory/open.ts'

// requirement: P2.8, P2.11
test('nobody sees another’s gists and bank, nor what another project shares; everybody sees what their own shares', async () => {
  const { memory, clock, server } = await distilling({ modelWindow: 32_768, isolation: 'silent' })
  const scopes = [
    { project: 'acme', user: 'ada' },
    { project: 'acme', user: 'ben' },
    { project: 'umbra', user: 'ada' },
    { project: 'acme' },
    { user: 'ada', project: 'default' },
  ]
  const secrets = scopes.map(() => canary())
  const shared = scopes.map(() => canary())
  await memory.project('acme').bank.setSharing(true)
  await memory.project('umbra').bank.setSharing(true)
  clock.advance(1_000)
  for (const [at, scope] of scopes.entries()) {
    const handle = memory.for(scope)
    await handle.sessions.ensure('private', { share: false })
    await handle.append('private', [{ role: 'user', content: `The private word of the barge is ${secrets[at]}.` }, ...talk('tern', 2)])
    await handle.append('open', [{ role: 'user', content: `The common word of the barge is ${shared[at]}.` }, ...talk('gull', 2)])
  }
  clock.advance(settled)
  await memory.upkeep.run()
  clock.advance(30 * hour)
  await memory.upkeep.run()
  for (const [at, scope] of scopes.entries()) {
    const handle = memory.for(scope)
    const query = `private common word barge ${secrets.join(' ')} ${shared.join(' ')}`
    const seen = JSON.stringify([
      await handle.gists.list(),
      await handle.gists.recall(query, { limit: 50 }),
      await handle.bank.entries(),
      await handle.bank.search(query, { limit: 50 }),
      await handle.bank.render(),
      await handle.recall(query, { kinds: ['message', 'gist', 'bank'], limit: 100 }),
      (await handle.context({ query, maxTokens: 20_000 })).text,
    ])
    for (const [other, secret] of secrets.entries()) expect(seen.includes(secret), `${at} sees the secret of ${other}`).toBe(other === at)
    for (const [other, word] of shared.entries()) {
      const isOfProject = scopes[other]?.project === scope.project && scope.project !== 'default'
      expect(seen.includes(word), `${at} sees what ${other} shares`).toBe(other === at || isOfProject)
    }
  }
  for (const project of ['acme', 'umbra', 'default']) {
    const entries = JSON.stringify([
      await memory.project(project).bank.entries(),
      await memory.project(project).bank.render(),
      await memory.project(project).bank.search('word barge'),
    ])
    for (const secret of secrets) expect(entries).not.toContain(secret)
    for (const [other, word] of shared.entries())
      expect(entries.includes(word)).toBe(scopes[other]?.project === project && project !== 'default')
    // The shared bank does not tell whose talk an entry is of.
    expect(JSON.stringify([await memory.project(project).bank.entries(), await memory.project(project).bank.render()])).not.toContain(
      '"session"',
    )
  }
  // Each request sees the words of one conversation alone.
  const words = [...secrets, ...shared]
  for (const { prompt } of server.requests) expect(words.filter((word) => prompt.includes(word)).length).toBeLessThanOrEqual(1)
})

// requirement: P2.11
test('a request for a digest or a document holds words of one user, or words that one project shares', async () => {
  const scopes = [
    { project: 'acme', user: 'ada' },
    { project: 'acme', user: 'bob' },
    { project: 'umbra', user: 'ada' },
  ]
  const words = scopes.map((scope) => ({ scope, own: canary(), shared: canary() }))
  const told = words.map(({ own }) => about('barge', `Our barge carries ${own}.`))
  const { memory, clock, server, play } = await distilling({
    embeddingModel: false,
    layers: { gists: true, bank: true, documents: true, facts: false },
    modelWindow: 32_768,
  })
  const read = documentModel(told)
  play((request) => (isDigest(request) ? copied(request) : read(request)))
  for (const project of ['acme', 'umbra']) {
    await memory.project(project).settings.set({ bank: { maxTokens: 200 } })
    await memory.project(project).bank.setSharing(true)
  }
  clock.advance(1_000)
  for (const [place, { scope, own, shared }] of words.entries()) {
    const handle = memory.for(scope)
    await handle.sessions.ensure('private', { share: false })
    await handle.append('private', { role: 'user', content: told[place]?.content ?? '' })
    for (let at = 0; at < 8; at += 1)
      await handle.append(`open-${at}`, [{ role: 'user', content: `The word of barge ${at} is ${shared}.` }, ...talk(`tern${at}`, 2)])
    await handle.append('private', { role: 'user', content: `The word of the barge is ${own}.` })
  }
  for (let turn = 0; turn < 2; turn += 1) {
    clock.advance(30 * hour)
    await memory.upkeep.run({ maxSeconds: 20 })
  }
  const holding = (of: readonly string[], prompt: string): number[] => of.flatMap((word, place) => (prompt.includes(word) ? [place] : []))
  let [mixed, edited] = [0, 0]
  for (const { prompt, schemaName } of server.requests.filter((request) => isDigest(request) || isEditor(request))) {
    const [own, shared] = [words.map((word) => word.own), words.map((word) => word.shared)].map((of) => holding(of, prompt))
    const users = new Set([...(own ?? []), ...(shared ?? [])])
    if (isEditor({ schemaName })) edited += 1
    if (own?.length === 0) {
      expect(new Set([...users].map((place) => scopes[place]?.project)).size).toBeLessThanOrEqual(1)
      mixed += users.size > 1 ? 1 : 0
    } else {
      expect(users.size).toBe(1)
    }
  }
  // Both members of the first project are in the digests of its shared bank.
  expect(mixed).toBeGreaterThan(0)
  expect(edited).toBe(3)
})

/** Gives every answer on gists and on banks. */
async function answersOf(handle: UserMemory): Promise<unknown> {
  return [
    await handle.gists.list(),
    await handle.gists.recall('who painted the green barge', { limit: 50 }),
    await handle.bank.entries(),
    await handle.bank.search('who painted the green barge', { limit: 50 }),
    await handle.bank.render(),
    await handle.recall('barge rudder apples', { kinds: ['message', 'gist', 'bank'], limit: 50 }),
  ]
}

// requirement: P2.3
test('talk, gists and banks of others change no gist, no bank, no score and no order of hers', async () => {
  const { memory, clock } = await distilling({ languageModel: false, isolation: 'silent' })
  const tell = async (handle: UserMemory, words: string): Promise<void> => {
    for (let at = 0; at < 3; at += 1) await handle.append(`talk-${at}`, talk(`${words}${at}`, 3))
    clock.advance(settled)
    await memory.upkeep.run()
  }
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await tell(ada, 'tern')
  // Hers are settled: nothing of hers changes any more by itself.
  clock.advance(30 * hour)
  await memory.upkeep.run()
  const before = await answersOf(ada)
  for (const scope of [{ project: 'acme', user: 'bob' }, { project: 'acme' }, { project: 'umbra', user: 'ada' }, { user: 'ada%' }]) {
    const stranger = memory.for(scope)
    await tell(stranger, 'gull')
    await stranger.gists.write('talk-0', 'The green barge has a rudder. Apples, apples, apples.')
    expect(await answersOf(ada)).toEqual(before)
    await stranger.forget({ all: true })
    expect(await answersOf(ada)).toEqual(before)
  }
})

// requirement: P2.1, P2.2
test('ids of entries of another’s bank are not found, in the words for an id that never was, and nothing changes', async () => {
  const { memory, clock } = await distilling({ languageModel: false, isolation: 'silent' })
  const scopes = [
    { project: 'acme', user: 'ada' },
    { project: 'acme', user: 'bob' },
    { project: 'acme' },
    { project: 'umbra', user: 'ada' },
  ]
  const [ada, ...strangers] = scopes.map((scope) => memory.for(scope))
  for (const handle of [ada, ...strangers]) await handle?.append('talk', talk('tern', 3))
  clock.advance(settled)
  await memory.upkeep.run()
  if (ada === undefined) throw new TypeError('there is no first handle')
  const before = await answersOf(ada)
  const id = (await ada.bank.entries())[0]?.id ?? ''
  const never = id.replace(/.{8}$/, 'abcdabcd')
  for (const { bank } of [...strangers, memory.project('acme')]) {
    for (const call of [(of: string) => bank.pin(of), (of: string) => bank.correct(of, 'Taken over.'), (of: string) => bank.delete(of)]) {
      const error = await rejection(call(id))
      expect(error).toBeInstanceOf(NotFound)
      expect(String(error).replaceAll(id, '#')).toBe(String(await rejection(call(never))).replaceAll(never, '#'))
    }
  }
  expect(await answersOf(ada)).toEqual(before)
})
