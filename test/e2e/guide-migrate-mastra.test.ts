import { readFileSync } from 'node:fs'
import { InMemoryStore, type MemoryStorage } from '@mastra/core/storage'
import { expect, test } from 'vitest'
import { moveResource } from '../fixtures/guides/migrate/mastra.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const at = (minute: number): Date => new Date(Date.UTC(2025, 4, 6, 9, minute))

/** Mastra's store with two people: ada has two threads, one with a tool. */
async function mastraStore(): Promise<MemoryStorage> {
  const store = await new InMemoryStore().getStore('memory')
  if (store === undefined) throw new TypeError('Mastra’s store in memory keeps threads')
  const dates = { createdAt: at(0), updatedAt: at(0) }
  await store.saveThread({ thread: { id: 'monday', resourceId: 'ada', title: 'Barges', ...dates } })
  await store.saveThread({ thread: { id: 'tuesday', resourceId: 'ada', title: '', ...dates } })
  await store.saveThread({ thread: { id: 'his', resourceId: 'ben', title: 'Secret', ...dates } })
  const text = (id: string, threadId: string, role: 'user' | 'assistant' | 'system', said: string, minute: number, resourceId = 'ada') => ({
    ...{ id, threadId, resourceId, role, createdAt: at(minute) },
    content: { format: 2 as const, parts: [{ type: 'text' as const, text: said }] },
  })
  const toolInvocation = { toolCallId: 'c1', toolName: 'position', args: { barge: 'grey' }, state: 'result', result: 'lock 7' } as const
  await store.saveMessages({
    messages: [
      text('m0', 'monday', 'system', 'Answer in one sentence.', 0),
      text('m1', 'monday', 'user', 'Where is the grey barge?', 1),
      {
        ...text('m2', 'monday', 'assistant', '', 2),
        content: {
          format: 2,
          parts: [
            { type: 'tool-invocation', toolInvocation },
            { type: 'text', text: 'At lock 7.' },
          ],
        },
      },
      text('m3', 'tuesday', 'user', 'I am allergic to herring.', 3),
      text('m4', 'his', 'user', 'My door code is 4711.', 4, 'ben'),
    ],
  })
  await store.saveResource({ resource: { id: 'ada', workingMemory: '# Ada\n- rows on Tuesdays', ...dates } })
  return store
}

test('the block of the guide is the code that is run here', () => {
  const blocks = [...read('../../docs/guides/migrate.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  const file = read('../fixtures/guides/migrate/mastra.ts')
    .replace("'../../../../packages/varve/src/index.ts'", "'varve'")
    .replace("'../../../../packages/varve/src/integrations/mastra/index.ts'", "'varve/mastra'")
  expect(blocks).toContain(file)
})

test('a resource of Mastra moves with its threads, calls, times, titles and working memory; twice is once', async () => {
  const store = await mastraStore()
  const memory = await openForTest()
  expect(await moveResource(store, memory, 'ada')).toBe(5)
  expect(await moveResource(store, memory, 'ada')).toBe(0)
  const ada = memory.for('ada')
  expect((await ada.messages('monday')).map(({ role, content, externalId, at: said }) => [role, content, externalId, said])).toEqual([
    ['user', 'Where is the grey barge?', 'm1', at(1).getTime()],
    ['assistant', 'position({"barge":"grey"})', 'm2', at(2).getTime()],
    ['tool', 'position: lock 7', 'm2#c1', at(2).getTime()],
    ['assistant', 'At lock 7.', 'm2#1', at(2).getTime()],
  ])
  expect((await ada.sessions.get('monday')).name).toBe('Barges')
  expect((await ada.messages('tuesday'))[0]).toMatchObject({ origin: 'person', content: 'I am allergic to herring.' })
  expect((await ada.blocks.get('working memory'))?.text).toContain('rows on Tuesdays')
  expect(await ada.messages('his')).toEqual([])
  expect((await memory.for('ben').sessions.list()).map(({ id }) => id)).toEqual([])
})
