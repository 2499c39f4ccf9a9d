import { expect, test } from 'vitest'
import { isSteering } from '../../packages/varve/src/operations/steering.ts'
import { eventJson, prompt } from '../fixtures/hooks/claude-code.ts'
import { opened } from '../fixtures/hooks/opened.ts'
import { asking, steering } from '../fixtures/hooks/prompts.ts'

test('of 51 prompts that steer 45 are recognized, and of 44 short requests one is taken for one', () => {
  const missed = steering.filter((words) => !isSteering(words))
  expect([new Set(steering).size, steering.length - missed.length]).toEqual([51, 45])
  expect(missed).toEqual([
    ...['commit and push', 'please proceed with the plan', 'nope, revert', 'lgtm, merge it', 'nochmal bitte'],
    'continue s’il te plaît',
  ])
  expect([new Set(asking).size, asking.filter(isSteering)]).toEqual([44, ['timetable']])
})

test('signs alone, and a long prompt of stop words', () => {
  for (const words of ['', ' ', '👍', '…', '\0\uD800', '1.']) expect(isSteering(words)).toBe(true)
  expect(isSteering('so '.repeat(100))).toBe(false)
})

test('a prompt that asks for what was said before does not steer', () => {
  const back = ['Where were we?', 'What do you know about me?', 'What did we talk about last time?', 'Wo waren wir?', '¿Qué sabes de mí?']
  expect(back.filter(isSteering)).toEqual([])
})

test('a prompt that steers draws nothing, though its words were said, and a request at most 12 messages', async () => {
  const { hook, ada, varve, home } = await opened('steering')
  for (let place = 0; place < 30; place += 1)
    await ada.append(`talk-${place}`, [
      { role: 'user', content: `Please continue, fix it, and run the tests of ferry timetable ${place}.` },
      { role: 'assistant', content: `Yes, ok: I go on and fix it, and the ferry timetable ${place} is parsed.` },
    ])
  for (const words of ['yes please', 'go on', 'fix it', 'ok do it', 'continue', 'run the tests'])
    expect(await hook(prompt(words))).toBeUndefined()
  const why = async (words: string) => {
    const line = ['hook', 'claude-code', '--deadline-ms', '60000', '--user', 'ada', '--project', 'kiosk']
    return (await varve(line, eventJson(prompt(words), home), { VARVE_HOOK_DEBUG: '1' })).stderr
  }
  expect(await why('yes please')).toBe('varve hook: STEERING\n')
  expect(await why('Which zeppelin museum has a guestbook?')).toBe('varve hook: NOTHING_TO_TELL\n')
  expect(await why('Where is the ferry timetable parsed?')).toBe('')
  const text = (await hook(prompt('Where is the ferry timetable parsed?')))?.hookSpecificOutput.additionalContext ?? ''
  const shown = text.split('\n').filter((line) => /^(?:user|assistant): /.test(line)).length
  expect(shown).toBeGreaterThan(2)
  expect(shown).toBeLessThanOrEqual(12)
})
