import { describe, expect, test } from 'vitest'
import { connected, eras, httpClient, textOf, transports } from '../fixtures/mcp/connected.ts'
import { servedForTest } from '../fixtures/server/serve.ts'

const ways = transports.flatMap((transport) => eras.map((era) => ({ transport, era })))
const isAskedIn = ({ transport, era }: { readonly transport: string; readonly era: string }) => !(transport === 'http' && era === 'legacy')

const words = 'Answer in one line.'
const remember = (given: Readonly<Record<string, unknown>>) => ({ name: 'memory_remember', arguments: { ...given } })

/** A person who answers, and the questions that came. */
function person(says: () => boolean | 'cancel') {
  const asked: string[] = []
  const answer = (message: string) => {
    asked.push(message)
    const said = says()
    return said === 'cancel' ? { action: 'cancel' as const } : { action: 'accept' as const, content: { keep: said } }
  }
  return { asked, answer }
}

describe.each(ways.filter(isAskedIn))('on $transport, of the era $era', ({ transport, era }) => {
  test('an instruction is the user’s own after the person’s yes alone, and a no keeps nothing', async () => {
    let says: boolean | 'cancel' = false
    const { asked, answer } = person(() => says)
    const { client, memory } = await connected(transport, { era, person: answer })
    const ada = memory.for({ project: 'acme', user: 'ada' })
    for (const no of [false, 'cancel'] as const) {
      says = no
      const refused = await client.callTool(remember({ instruction: words }))
      expect([refused.isError, refused.structuredContent]).toEqual([undefined, { stored: 'nothing', why: textOf(refused) }])
      expect(textOf(refused)).toContain('nothing was kept')
    }
    expect(await ada.instructions.list()).toEqual([])
    says = true
    // A topic is for notes, and changes nothing here.
    const kept = await client.callTool(remember({ instruction: words, topic: 'Style' }))
    expect(kept.structuredContent).toEqual({ stored: 'instruction', by: 'user', ref: expect.stringMatching(/^instruction:/) })
    expect(textOf(kept)).toContain('the user’s own instruction')
    expect(asked).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^Keep this .*\n- Answer in one line\.$/)))
    expect((await ada.instructions.list()).map(({ text, by, noted }) => [text, by, noted])).toEqual([[words, 'user', undefined]])
    // The same words: nobody is asked, and nothing is stored.
    const again = await client.callTool(remember({ instruction: ' answer in ONE line ' }))
    expect(again.structuredContent).toEqual({ ...Object(kept.structuredContent), again: true })
    expect(textOf(again)).toContain('stored once')
    expect([asked.length, (await ada.instructions.list()).length]).toEqual([3, 1])
    // The agent takes nothing of the user back.
    const taken = await client.callTool({
      name: 'memory_edit',
      arguments: { ref: Reflect.get(Object(kept.structuredContent), 'ref'), retract: true },
    })
    expect(taken.isError).toBe(true)
  })

  test('the question shows the words in one line, and words that can be no instruction are refused before it', async () => {
    const { asked, answer } = person(() => false)
    const { client } = await connected(transport, { era, person: answer })
    await client.callTool(remember({ instruction: 'Be brief.\n\nErase everything? [yes]' }))
    expect(asked).toEqual([expect.stringMatching(/^[^\n]*\n- Be brief\. Erase everything\? \[yes\]$/)])
    const long = await client.callTool(remember({ instruction: 'x'.repeat(301) }))
    expect([long.isError, textOf(long)]).toEqual([true, expect.stringMatching(/text must be .*300.*301/)])
    const two = await client.callTool(remember({ instruction: 'Be brief.', note: 'n' }))
    expect([two.isError, textOf(two)]).toEqual([true, expect.stringContaining('exactly one of')])
    expect(asked).toHaveLength(1)
  })
})

test.each(ways)('without a person to ask, it is the agent’s note, and the answer says so: $transport, $era', async ({ transport, era }) => {
  const { client, memory } = await connected(transport, { era })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const kept = await client.callTool(remember({ instruction: words }))
  expect(kept.structuredContent).toEqual({ stored: 'instruction', by: 'agent', ref: expect.stringMatching(/^instruction:/) })
  expect(textOf(kept)).toContain('not the user’s own instruction')
  expect((await ada.instructions.list()).map(({ by, noted }) => [by, noted])).toEqual([['agent', true]])
  for (const given of [{ instruction: words }, { note: 'Oars\nare wet.' }, { predicate: 'likes', object: 'tea' }]) {
    const first = await client.callTool(remember(given))
    const second = await client.callTool(remember(given))
    const { again: _, ...one } = Object(first.structuredContent)
    expect(second.structuredContent).toEqual({ ...one, again: true })
    expect(textOf(second)).toContain('stored once')
  }
  expect((await ada.instructions.list()).length).toBe(1)
  expect((await ada.documents.read('Notes of the agent'))?.content.match(/Oars are wet\./g)).toHaveLength(1)
  expect(await ada.facts.list()).toHaveLength(1)
})

test('the same note of many calls at once is stored once', async () => {
  const { client, memory } = await connected('http', { era: 'auto' })
  const answers = await Promise.all(Array.from({ length: 3 }, () => client.callTool(remember({ note: 'Oars are wet.' }))))
  expect(answers.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined])
  const page = await memory.for({ project: 'acme', user: 'ada' }).documents.read('Notes of the agent')
  expect(page?.content).toBe('- Oars are wet.\n')
  expect(answers.filter(({ structuredContent }) => Reflect.get(Object(structuredContent), 'again') === true)).toHaveLength(2)
})

test('a key that may claim no words of a person keeps the agent’s note, whatever the person says', async () => {
  const server = await servedForTest()
  const { answer } = person(() => true)
  const key = { project: 'acme', user: 'ada', access: 'write', origins: ['tool'] } as const
  const client = await httpClient(server, { era: 'auto', person: answer }, { key })
  const kept = await client.callTool(remember({ instruction: words }))
  expect(kept.structuredContent, textOf(kept)).toMatchObject({ stored: 'instruction', by: 'agent' })
  const standing = await server.memory.for({ project: 'acme', user: 'ada' }).instructions.list()
  expect(standing.map(({ noted }) => noted)).toEqual([true])
})
