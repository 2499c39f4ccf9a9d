import { describe, expect, test } from 'vitest'
import { loadTokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { connected, eras, textOf, transports } from '../fixtures/mcp/connected.ts'

const ways = transports.flatMap((transport) => eras.map((era) => ({ transport, era })))

/** The most tokens of the usual tools as a client gets them: names, titles, texts, hints, schemas of input and answer. */
const mostTokens = 900

const usual = ['memory_recall', 'memory_context', 'memory_remember', 'memory_edit', 'memory_forget']

describe.each(ways)('on $transport, of the era $era', ({ transport, era }) => {
  test('a client gets five tools, and uses them with typed answers', async () => {
    const { client, memory } = await connected(transport, { era })
    const ada = memory.for({ project: 'acme', user: 'ada' })
    await ada.append('talk', { role: 'user', name: 'Ada', content: 'The oars hang in the boat house.' })
    expect(client.getServerVersion()).toMatchObject({ name: 'varve', title: 'Varve memory' })
    expect(client.getInstructions()).toContain('memory_recall')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(usual)
    expect(tools.map(({ annotations }) => [annotations?.readOnlyHint, annotations?.destructiveHint, annotations?.openWorldHint])).toEqual([
      [true, undefined, false],
      [true, undefined, false],
      [undefined, false, false],
      [undefined, false, false],
      [undefined, true, false],
    ])
    const found = await client.callTool({ name: 'memory_recall', arguments: { query: 'oars' } })
    const told = { text: 'The oars hang in the boat house.', by: 'Ada', session: 'talk', ref: expect.stringContaining('message:') }
    expect(found.structuredContent).toMatchObject({ hits: [told] })
    expect(textOf(found)).toMatch(/^<memory mark="[0-9a-f]{16}">\n[^]*Ada, session talk\): The oars hang in the boat house\.\n<\/memory/)
    const context = await client.callTool({ name: 'memory_context', arguments: { query: 'oars', maxTokens: 300 } })
    expect(context.structuredContent).toMatchObject({ tokens: expect.any(Number), text: textOf(context) })
    expect(textOf(context)).toContain('<memory mark=')
    const kept = await client.callTool({ name: 'memory_remember', arguments: { predicate: 'lives in', object: 'Olso' } })
    expect(kept.structuredContent).toMatchObject({ stored: 'fact' })
    const ref = Reflect.get(Object(kept.structuredContent), 'ref')
    const edited = await client.callTool({ name: 'memory_edit', arguments: { ref, text: 'Oslo' } })
    expect(edited.structuredContent).toMatchObject({ done: 'corrected' })
    expect(await ada.facts.list()).toMatchObject([{ object: 'Oslo', writer: 'agent', sources: [] }])
    const wrong = await client.callTool({ name: 'memory_edit', arguments: { ref: 'message:x', text: 'y' } })
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('ref') }] })
  })

  test('a person who is asked says yes or no, and the agent gets no token', async () => {
    const asked: string[] = []
    let says: 'accept' | 'decline' = 'decline'
    const person = (message: string) => {
      asked.push(message)
      return says === 'accept' ? { action: 'accept' as const, content: { erase: true } } : { action: 'decline' as const }
    }
    const { client, memory } = await connected(transport, { era, person })
    const ada = memory.for({ project: 'acme', user: 'ada' })
    const { messages } = await ada.append('talk', { role: 'user', content: 'The code of the shed\nis a secret.' })
    const call = { name: 'memory_forget', arguments: { refs: [`message:${messages[0]?.id}`] } }
    const refused = await client.callTool(call)
    // A server of HTTP cannot ask a client of 2025: it gets the token, and shows what would go itself.
    const isAsked = !(transport === 'http' && era === 'legacy')
    if (!isAsked) {
      expect(refused.structuredContent).toMatchObject({ done: false, counts: { message: 1 }, confirm: expect.any(String) })
      const confirm = Reflect.get(Object(refused.structuredContent), 'confirm')
      expect(await client.callTool({ ...call, arguments: { ...call.arguments, confirm } })).toMatchObject({
        structuredContent: { done: true },
      })
      expect(asked).toEqual([])
      return
    }
    expect(refused.structuredContent).toEqual({ done: false, counts: {}, lines: [], why: expect.stringContaining('did not confirm') })
    expect(asked).toEqual([expect.stringMatching(/^Erase 1 message .*\n- .*The code of the shed is a secret\.$/)])
    expect(await ada.messages('talk')).toHaveLength(1)
    // A token that the agent has from elsewhere is no yes of the person.
    const { token: confirm } = await ada.showForget({ what: { messages: [messages[0]?.id ?? ''] } })
    const forced = await client.callTool({ ...call, arguments: { ...call.arguments, confirm } })
    expect(forced.structuredContent).toMatchObject({ done: false, why: expect.stringContaining('did not confirm') })
    expect([asked.length, (await ada.messages('talk')).length]).toEqual([2, 1])
    says = 'accept'
    const erased = await client.callTool(call)
    expect(erased.structuredContent).toMatchObject({ done: true, counts: { message: 1 } })
    expect(await ada.messages('talk')).toEqual([])
    expect(JSON.stringify([refused, erased])).not.toContain('confirm:')
  })

  test('a client reads the pages of a memory, and gets its prompts', async () => {
    const { client, memory } = await connected(transport, { era })
    const ada = memory.for({ project: 'acme', user: 'ada' })
    await ada.append('talk', { role: 'user', content: 'I live in Oslo.' })
    await ada.distil('talk')
    await ada.facts.add({ predicate: 'likes', object: 'tea', writer: 'agent' })
    await ada.notes.edit('talk', '# Talk\n\n- about Oslo')
    await ada.documents.edit('Harbour / office: 50 %', '- opens at 8')
    await ada.blocks.set('plan', 'See the pier.')
    const { resources } = await client.listResources()
    const pages = ['varve://blocks/plan', 'varve://documents/Harbour%20%2F%20office%3A%2050%20%25', 'varve://notes/talk']
    expect(resources.map(({ uri }) => uri)).toEqual(['varve://profile', 'varve://bank', ...pages])
    const read = async (uri: string): Promise<string> => {
      const { contents } = await client.readResource({ uri })
      return contents.map((part) => ('text' in part ? part.text : '')).join('\n')
    }
    const profile = await read('varve://profile')
    expect(profile).toMatch(/: 1 message, 1 session, 1 gist, 1 block, 2 facts ever known, 1 document, 1 page of notes\.$/m)
    expect(profile).toMatch(/^- I live in Oslo\. \([\d-]+\)$/m)
    expect(profile).toMatch(/^- likes tea \([\d-]+; noted by \W?agent\W?, not said\)$/m)
    expect(await read('varve://bank')).toContain('Nothing is remembered yet')
    const texts = await Promise.all(pages.map(read))
    expect(texts.map((text) => /See the pier|opens at 8|about Oslo/.exec(text)?.[0])).toEqual(['See the pier', 'opens at 8', 'about Oslo'])
    for (const text of texts) expect(text).toMatch(/^<memory mark="[0-9a-f]{16}">\n[^]*<\/memory mark="[0-9a-f]{16}">$/)
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      ['blocks', 'documents', 'notes'].map((kind) => `varve://${kind}/{name}`),
    )
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['recall_before_answer', 'what_do_you_know', 'keep_what_matters'])
    const { messages } = await client.getPrompt({ name: 'recall_before_answer', arguments: { question: 'Where do I live?' } })
    expect(JSON.stringify(messages)).toMatch(/Oslo.*Where do I live\?/)
    expect(JSON.stringify((await client.getPrompt({ name: 'what_do_you_know' })).messages)).toContain('I live in Oslo')
  })
})

test('all that a client lists of the usual tools is at most 900 tokens', async () => {
  const { client } = await connected('http', { era: 'auto' })
  const { tools } = await client.listTools()
  const tokens = (await loadTokenizer()).count(JSON.stringify(tools))
  console.log(`mcp: the five tools are ${tokens} tokens`)
  expect(tokens).toBeLessThanOrEqual(mostTokens)
})

test('with all tools there are those of every room, and whoever may only read gets only what reads', async () => {
  const all = (await (await connected('http', { era: 'auto' }, ['--tools'])).client.listTools()).tools
  expect(all.map(({ name }) => name).slice(0, 5)).toEqual(usual)
  expect(all.length).toBeGreaterThan(30)
  const reading = (await (await connected('http', { era: 'auto' }, ['--tools', '--read-only'])).client.listTools()).tools
  expect(reading.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
  expect(reading.map(({ name }) => name)).toEqual(
    all.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name),
  )
  expect(reading.map(({ name }) => name)).toContain('memory_timeline')
})
