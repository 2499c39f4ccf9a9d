import { expect, test } from 'vitest'
import { distilling } from '../fixtures/distil/open.ts'
import { hour, settled, talk } from '../fixtures/distil/talk.ts'
import { canary } from '../fixtures/memory/canaries.ts'

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
