import { readFileSync } from 'node:fs'
import { AIMessage, fakeModel } from 'langchain'
import { expect, test } from 'vitest'
import { clerk } from '../fixtures/guides/langgraph/agent.ts'
import { kioskGraph } from '../fixtures/guides/langgraph/graph.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const files = ['graph', 'agent']

test('the blocks of the guide are the code that is run here', () => {
  const blocks = [...read('../../docs/guides/langgraph.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  expect(blocks).toEqual(
    files.map((name) =>
      read(`../fixtures/guides/langgraph/${name}.ts`).replaceAll(
        /'(?:\.\.\/){4}packages\/varve\/src\/(?:integrations\/([\w-]+)\/)?index\.ts'/g,
        (_, subpath?: string) => (subpath === undefined ? "'varve'" : `'varve/${subpath}'`),
      ),
    ),
  )
})

test('the graph of the guide remembers each user apart', async () => {
  const graph = kioskGraph(await openForTest())
  const say = async (user: string, content: string) =>
    (await graph.invoke({ messages: [{ role: 'user', content }] }, { configurable: { user } })).messages.at(-1)?.text
  await say('ada', 'Jule is allergic to sesame.')
  await say('bob', 'My barge is green.')
  expect(await say('ada', 'What is Jule allergic to?')).toBe('I know: Jule is allergic to sesame.')
  expect(await say('bob', 'Which colour has the barge?')).toBe('I know: My barge is green.')
})

test.each([undefined, null, '', ' '])(
  'a login that is missing is refused by the graph, and gives the agent no memory: %j',
  async (nobody) => {
    const memory = await openForTest()
    const user: string = Object(nobody).missing ?? nobody
    const said = { messages: [{ role: 'user', content: 'My barge is green.' }] }
    await expect(kioskGraph(memory).invoke(said, { configurable: { user } })).rejects.toThrow(/namespace|user/i)
    const { ask, settled } = clerk(memory, fakeModel().respond(new AIMessage('Noted.')), 60_000)
    expect(await ask(user, 'monday', 'My barge is green.')).toBe('Noted.')
    await settled()
    expect([...(await memory.project('kiosk').users())]).toEqual([])
    expect(await memory.for({ project: 'kiosk' }).sessions.list()).toEqual([])
  },
)

test('the agent of the guide knows on Tuesday what it was told on Monday', async () => {
  const memory = await openForTest()
  const model = fakeModel().respond(new AIMessage('Noted.')).respond(new AIMessage('No sesame.'))
  const { ask, settled } = clerk(memory, model, 60_000)
  expect(await ask('ada', 'monday', 'Jule is allergic to sesame.')).toBe('Noted.')
  await settled()
  expect(await ask('ada', 'tuesday', 'What is Jule allergic to?')).toBe('No sesame.')
  await settled()
  expect(String(model.calls[1]?.messages.at(-2)?.content)).toContain('Jule is allergic to sesame.')
})
