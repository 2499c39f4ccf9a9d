import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compactedAt } from '../../packages/varve/src/integrations/claude-code/compact-boundary.ts'
import { newHome } from '../fixtures/cli/in-process.ts'
import { preCompact, sessionOfHooks, start, stop } from '../fixtures/hooks/claude-code.ts'
import { opened, replied, said } from '../fixtures/hooks/opened.ts'
import { type Line, uuid } from '../fixtures/importers/transcript.ts'

/** The line that Claude Code writes at a compaction. */
const boundary = (place: number): Line => ({
  ...{ parentUuid: null, logicalParentUuid: uuid(place - 1), isSidechain: false, sessionId: sessionOfHooks, uuid: uuid(place) },
  ...{ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', isMeta: false, level: 'info' },
  ...{ timestamp: said(place, '').timestamp, compactMetadata: { trigger: 'auto', preTokens: 150_000 } },
})

test('after a compaction a prompt recalls its session’s turns from before it, and none after it', async () => {
  const { write, go, hook, asked } = await opened('compacted')
  const question = 'Which file parses the ferry timetable?'
  write([said(1, 'The ferry timetable is parsed by src/ferry.ts.'), replied(2, 'Noted.')])
  await hook(stop('Noted.'))
  expect(await asked(question)).toBe('')
  await hook(preCompact)
  go([
    boundary(3),
    said(4, 'The ferry timetable is also parsed by src/bell.ts.'),
    replied(5, 'The parser of the ferry timetable is noted.'),
  ])
  await hook(stop('The parser of the ferry timetable is noted.'))
  const first = await asked(question)
  expect(first).toContain('src/ferry.ts')
  for (const later of ['src/bell.ts', 'is noted']) expect(first).not.toContain(later)
  // The newest compaction counts.
  go([boundary(6), said(7, 'The ferry timetable moved to src/pier.ts.'), replied(8, 'Moved.')])
  await hook(stop('Moved.'))
  const second = await asked(question)
  for (const earlier of ['src/ferry.ts', 'src/bell.ts']) expect(second).toContain(earlier)
  expect(second).not.toContain('src/pier.ts')
})

test('the other half of an exchange, and a question of a time alone, keep to the boundary', async () => {
  const { ada } = await opened('halves')
  const since = Date.UTC(2026, 6, 8, 12)
  const at = (minutes: number) => since + minutes * 60_000
  await ada.append('now', [
    { role: 'user', content: 'Which berth has the lifeboat?', at: at(-1) },
    { role: 'assistant', content: 'Berth seven, by the crane.', at: at(1) },
    { role: 'user', content: 'And which berth has the tug?', at: at(2) },
  ])
  const textOf = async (query: string, excludeSessionSince?: number) =>
    (await ada.context({ query, excludeSession: 'now', ...(excludeSessionSince === undefined ? {} : { excludeSessionSince }) })).text
  expect(await textOf('Which berth has the lifeboat?')).toBe('')
  for (const query of ['Which berth has the lifeboat?', 'What did we say on 8 July 2026?']) {
    const text = await textOf(query, since)
    expect(text).toContain('has the lifeboat')
    for (const later of ['by the crane', 'the tug']) expect(text).not.toContain(later)
  }
  await expect(ada.context({ query: 'Which berth?', excludeSessionSince: since })).rejects.toMatchObject({ code: 'OPTION_INVALID' })
  // A message of that very time is left out.
  expect(await textOf('Which berth has the lifeboat?', at(-1))).toBe('')
})

test('words about a compaction are no compaction, and only the end of a file is read', () => {
  const file = join(newHome('boundary'), 'session.jsonl')
  const lines = (...all: readonly object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('')
  const at = Date.parse(String(boundary(3).timestamp))
  const quoting = { ...said(4, JSON.stringify(boundary(4))), toolUseResult: { ...boundary(4) } }
  writeFileSync(file, lines(said(1, 'One.'), quoting, replied(2, '"compact_boundary"'), ['compact_boundary']))
  expect(compactedAt(file)).toBeUndefined()
  writeFileSync(file, lines(said(1, 'One.'), boundary(2), boundary(3), quoting))
  expect(compactedAt(file)).toBe(at)
  const filler = `${JSON.stringify(said(5, 'x'.repeat(100_000)))}\n`
  for (let place = 0; place < 100; place += 1) appendFileSync(file, filler)
  appendFileSync(file, '{"type":"system","subtype":"compact_boundary","timest')
  expect(compactedAt(file)).toBe(at)
  for (let place = 0; place < 80; place += 1) appendFileSync(file, filler)
  expect(compactedAt(file)).toBeUndefined()
  mkdirSync(`${file}.d`)
  for (const path of [undefined, `${file}.none`, `${file}.d`, '/dev/zero']) expect(compactedAt(path)).toBeUndefined()
})

test('after a compaction the newest turns are the session’s own, not those of a subagent', async () => {
  const { ada, hook } = await opened('compacted-agent')
  const talk = (words: string, thread?: string) => [
    { role: 'user' as const, content: `Ask of ${words}`, ...(thread === undefined ? {} : { thread }) },
    { role: 'assistant' as const, content: `Answer of ${words}`, ...(thread === undefined ? {} : { thread }) },
  ]
  const ofAgent = Array.from({ length: 40 }, (_, place) => talk(`quay ${place}`, 'agent-7')).flat()
  await ada.append(sessionOfHooks, [...talk('the first ferry'), ...talk('the second ferry'), ...ofAgent])
  const text = (await hook(start('compact')))?.hookSpecificOutput.additionalContext ?? ''
  for (const words of ['the first ferry', 'the second ferry']) expect(text).toContain(`Answer of ${words}`)
  expect(text).not.toContain('quay')
})

test('a session whose turns are all in threads has them as its newest', async () => {
  const { ada } = await opened('threads-only')
  await ada.append('channel', [
    { role: 'user', content: 'The ferry bell is cracked.', thread: 'bell' },
    { role: 'user', content: 'The kiosk needs paint.', thread: 'kiosk' },
  ])
  const { text } = await ada.context({ query: 'What is new?', session: 'channel', maxTokens: 500 })
  for (const words of ['bell is cracked', 'needs paint']) expect(text).toContain(words)
})
