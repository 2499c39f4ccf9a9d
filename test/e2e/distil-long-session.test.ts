import { expect, test } from 'vitest'
import type { ScriptedRequest } from '../../packages/varve/src/testing/index.ts'
import { distilling, modelName } from '../fixtures/distil/open.ts'
import { hour, minute, sentence, settled, talk } from '../fixtures/distil/talk.ts'
import { isDigest, isFusion, itemsOf, keysOf } from '../fixtures/distil/writer.ts'
import { canary } from '../fixtures/memory/canaries.ts'

const isSpan = (request: ScriptedRequest): boolean => !isFusion(request) && !isDigest(request)

// requirement: GIST-3
test('a session of 3,000 messages is read to its end, in parts of at most 40; after one is forgotten, one part is read again', async () => {
  const { memory, clock, server } = await distilling({ modelWindow: 1_000_000, layers: { gists: true } })
  const ada = memory.for('ada')
  const secret = canary()
  const messages = talk('tern', 3_000).map((message, place) =>
    place === 1_233 ? { ...message, content: `The word of the barge is ${secret}.` } : message,
  )
  const appended = await ada.append('long', messages)
  clock.advance(settled)
  await memory.upkeep.run()
  const spans = server.requests.filter(isSpan)
  const read = spans.flatMap((request) => itemsOf(request).map(({ number }) => number))
  expect(read).toEqual(Array.from({ length: 3_000 }, (_, place) => place + 1))
  expect(Math.max(...spans.map((request) => itemsOf(request).length))).toBe(40)
  expect([spans.length, server.count]).toEqual([75, 76])
  expect(await ada.gists.get('long')).toMatchObject({ messages: 3_000, writer: modelName, provisional: false })
  expect(await ada.gists.pending('long')).toBe(0)

  await ada.forget({ messages: [appended.messages[1_233]?.id ?? ''] })
  await memory.upkeep.run()
  const again = server.requests.slice(76)
  expect(again.map(isFusion)).toEqual([false, true])
  expect(itemsOf(again[0] ?? { prompt: '' }).map(({ number }) => number)).toEqual(
    Array.from({ length: 40 }, (_, place) => 1_201 + place).filter((seq) => seq !== 1_234),
  )
  expect(again.some(({ prompt }) => prompt.includes(secret))).toBe(false)
  expect(await ada.gists.get('long')).toMatchObject({ messages: 2_999, writer: modelName, provisional: false })
})

// requirement: GIST-4
test('what is fused is asked for within the model’s window', async () => {
  const window = 8_192
  const { memory, clock, server } = await distilling({ modelWindow: window, layers: { gists: true } })
  const messages = Array.from({ length: 1_600 }, (_, place) => ({
    role: 'user' as const,
    content:
      `${sentence('tern', place).slice(0, -1)}, and it waits by the pier with its crew until the old lock is repaired and opened ` +
      'again.',
  }))
  await memory.for('ada').append('long', messages)
  clock.advance(settled)
  await memory.upkeep.run()
  const sizes = server.requests
    .filter(isFusion)
    .map(({ instructions, prompt, maxTokens }) => (instructions.length + prompt.length) / 4 + (maxTokens ?? 0))
  expect(sizes.length).toBeGreaterThan(0)
  expect(Math.max(...sizes)).toBeLessThan(window)
  expect(await memory.for('ada').gists.get('long')).toMatchObject({ messages: 1_600, provisional: false })
})

// requirement: P4.11
test('system text, and what was recalled, reach no writer; secrets reach none either', async () => {
  const { memory, clock, server } = await distilling({ modelWindow: 32_768 })
  await memory.project('acme').bank.setSharing(true)
  clock.advance(1_000)
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const [system, old, tool, own] = [canary(), canary(), canary(), canary()]
  const key = `sk-ant-api03-${'Q7w'.repeat(31)}AA`
  await ada.append('monday', { role: 'user', content: `The old word of the barge is ${old}.` })
  clock.advance(settled)
  await memory.upkeep.run()
  const { text } = await ada.context({ session: 'tuesday', query: 'old word of the barge' })
  expect(text).toContain(old)
  const before = server.count
  clock.advance(hour)
  await ada.append('tuesday', [
    { role: 'system', content: `Be brief. The host word is ${system}.` },
    { role: 'user', content: `${text}\n\nThe new word of the barge is ${own}.` },
    { role: 'tool', content: `The tide table says ${tool} at noon.` },
    { role: 'user', content: `Mira set the password of the lock: ${key} is its key.` },
  ])
  clock.advance(settled)
  await memory.upkeep.run()
  const prompts = server.requests.slice(before)
  const sent = JSON.stringify(prompts.map(({ body }) => body))
  expect(prompts.length).toBeGreaterThan(1)
  for (const unwanted of [system, old, key, key.slice(20, 50)]) expect(sent).not.toContain(unwanted)
  expect(sent).toContain(own)
  const shared = JSON.stringify([await memory.project('acme').bank.entries(), await memory.project('acme').bank.render()])
  for (const unwanted of [system, key, key.slice(20, 50), tool]) expect(shared).not.toContain(unwanted)
  expect(shared).toContain(own)
})

// requirement: P4.11
test('system text, and what was recalled, stand in no layer that the extractive writer wrote', async () => {
  const { memory, clock } = await distilling({ languageModel: false, layers: { gists: true, bank: true, facts: true } })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const [system, old, own] = [canary(), canary(), canary()]
  await ada.append('monday', { role: 'user', content: `I live in ${old}. The old word of the barge is ${old}.` })
  const { text } = await ada.context({ session: 'tuesday', query: 'old word of the barge' })
  expect(text).toContain(old)
  clock.advance(hour)
  await ada.append('tuesday', [
    { role: 'system', content: `I live in ${system}. We decided that the host word is ${system}.` },
    { role: 'user', content: `${text}\n\nThe new word of the barge is ${own}.` },
  ])
  await ada.distil('tuesday')
  clock.advance(settled)
  await memory.upkeep.run()
  const written = JSON.stringify([
    await ada.gists.get('tuesday'),
    (await ada.bank.entries()).filter(({ session }) => session === 'tuesday'),
    (await ada.facts.list()).filter(({ sources }) => sources.some(({ session }) => session === 'tuesday')),
  ])
  expect(written).toContain(own)
  for (const unwanted of [system, old]) expect(written).not.toContain(unwanted)
  expect(JSON.stringify(await ada.facts.list())).not.toContain(system)
})

// requirement: BANK-6
test('secrets do not stand in what is shared, without a model either', async () => {
  const { memory, clock } = await distilling({ languageModel: false })
  await memory.project('acme').bank.setSharing(true)
  clock.advance(1_000)
  const key = `sk-ant-api03-${'Q7w'.repeat(31)}AA`
  await memory
    .for({ project: 'acme', user: 'ada' })
    .append('monday', [{ role: 'user', content: `Mira decided that the lock opens in May with the key ${key}.` }, ...talk('tern', 2)])
  clock.advance(settled)
  await memory.upkeep.run()
  const entries = await memory.project('acme').bank.entries()
  expect(entries).toHaveLength(1)
  expect(JSON.stringify(entries)).not.toContain(key.slice(20, 50))
})

// Fused items are stored with the last of them. A run that ends before throws them away, and the next one pays for them
// again.
test('a session of many parts and fusions is read to its end by runs of one call, and of no time', async () => {
  for (const bounds of [{ maxCalls: 1 }, { maxSeconds: 0 }]) {
    const { memory, clock, server } = await distilling({ modelWindow: 32_768 })
    await memory.for('ada').append('long', talk('tern', 100))
    clock.advance(settled)
    let runs = 0
    for (let settledYet = false; !settledYet && runs < 20; runs += 1) settledYet = (await memory.upkeep.run(bounds)).settled
    expect(server.requests.filter((request) => isSpan(request)).map(keysOf)).toEqual(Array.from({ length: 3 }, () => ['gist', 'bullets']))
    // One for the gist, one for the leaf.
    expect(server.requests.filter(isFusion)).toHaveLength(2)
    expect(await memory.for('ada').gists.pending('long')).toBe(0)
    clock.advance(minute)
  }
})
