import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { settled } from '../fixtures/distil/talk.ts'
import { messagesOf, readerOf } from '../fixtures/facts/told.ts'
import { blocksIn } from '../fixtures/guides/printed.ts'
import { asRequest, hosted } from '../fixtures/readings/host.ts'
import { holds, user } from '../fixtures/scenarios/telling.ts'

const page = readFileSync(new URL('../../docs/guides/readings.md', import.meta.url), 'utf8')
const said = [user('I live in Porto.', holds('', 'lives in', 'Porto'))]

test('the guide’s program reads what is due', async () => {
  const code = blocksIn(page, 'ts').find((block) => block.includes('readOne')) ?? ''
  const { readOne } = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(code))}`)
  const { ada, clock } = await hosted()
  await ada.append('talk', messagesOf(said))
  clock.advance(settled)
  let asked = 0
  const ask = async (instructions: string, prompt: string, schema: Readonly<Record<string, unknown>>): Promise<string> => {
    asked += 1
    const reading = { id: '', task: 'distil', layers: [], instructions, prompt, schema, tokens: 0, maxOutputTokens: 0, expiresAt: 0 }
    return asked === 1 ? 'no' : JSON.stringify((await readerOf(said)(asRequest(reading))).object)
  }
  expect(await readOne(ada, ask)).toBe('The answer is stored.')
  expect(asked).toBe(2)
  expect(await readOne(ada, ask)).toBe('Nothing is due to be read now.')
  expect((await ada.gists.get('talk'))?.writer).toBe('host:my-model')
})
