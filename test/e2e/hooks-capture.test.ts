import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFile, openMemory } from '../../packages/varve/src/index.ts'
import { unreadPart } from '../../packages/varve/src/integrations/claude-code/unread-part.ts'
import { typedIn } from '../fixtures/cli/typed.ts'
import { end, eventJson, hooksOf, preCompact, prompt, sessionOfHooks, start, stop } from '../fixtures/hooks/claude-code.ts'
import { opened, ours, replied, said } from '../fixtures/hooks/opened.ts'
import { servedForTest } from '../fixtures/server/serve.ts'
import { assistant, call, chained, type Line, result, sampleTranscript, user, uuid } from '../fixtures/importers/transcript.ts'

async function capturing(name: string) {
  const it = await opened(name)
  const all = (session = sessionOfHooks) => it.ada.messages(session, { limit: 10_000 })
  return { ...it, all, words: async () => (await all()).map(({ content }) => content) }
}

test('Stop keeps the turn, and the next Stop only what came since', async () => {
  const { write, go, hook, words } = await capturing('turns')
  write([said(1, 'Close at 11:15.'), replied(2, 'Closed.')])
  expect(await hook(stop('Closed.'))).toBeUndefined()
  expect(await words()).toEqual(['Close at 11:15.', 'Closed.'])
  go([said(3, 'And open at nine.'), replied(4, 'Opens at nine.')])
  for (let round = 0; round < 3; round += 1) await hook(stop('Opens at nine.'))
  await hook(end)
  expect(await words()).toEqual(['Close at 11:15.', 'Closed.', 'And open at nine.', 'Opens at nine.'])
})

test('a whole transcript has the ids of its import: either after the other stores nothing', async () => {
  const { home, hook, ada, all } = await capturing('import')
  const file = join(home, 'sample.jsonl')
  writeFileSync(file, readFileSync(sampleTranscript))
  const event = { ...end, transcript_path: file }
  await hook(event)
  const captured = await all()
  expect(captured.length).toBeGreaterThan(200)
  const report = await importFile(ada, file)
  expect(report).toMatchObject({ stored: 0, duplicates: report.messages })
  await using fresh = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, languageModel: false })
  await importFile(fresh.for('ada'), file)
  const imported = await fresh.for('ada').messages(sessionOfHooks, { limit: 10_000 })
  const shape = (messages: typeof captured) =>
    messages.map(({ externalId, role, origin, thread, at }) => ({ externalId, role, origin, thread, at }))
  expect(shape(captured)).toEqual(shape(imported))
  expect((await ada.sessions.get(sessionOfHooks)).name).toBe((await fresh.for('ada').sessions.get(sessionOfHooks)).name)
})

test('a transcript that grows line by line is captured as the whole is', async () => {
  const { file, write, hook, all } = await capturing('grows')
  const lines = readFileSync(sampleTranscript, 'utf8').split(/(?<=\n)/)
  write([])
  for (let from = 0; from < lines.length; from += 60) {
    appendFileSync(file, lines.slice(from, from + 60).join(''))
    await hook(stop())
  }
  await using fresh = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, languageModel: false })
  await importFile(fresh.for('ada'), sampleTranscript)
  const imported = await fresh.for('ada').messages(sessionOfHooks, { limit: 10_000 })
  const ids = (messages: typeof imported) => messages.map(({ externalId }) => externalId).toSorted()
  expect(ids(await all())).toEqual(ids(imported))
})

test('of a large transcript only the end is read again', async () => {
  const { write, go, hook, words, file } = await capturing('large')
  const filler = 'A line of a long log, and another one.\n'.repeat(2_000)
  write(
    Array.from({ length: 150 }, (_, place) =>
      place % 2 === 0 ? said(place + 1, `Question ${place}`) : replied(place + 1, `${place} ${filler}`),
    ),
  )
  await hook(stop())
  const { size } = statSync(file)
  expect(size).toBeGreaterThan(5_000_000)
  go([said(151, 'The last question.'), replied(152, 'The last answer.')])
  const known = new Set([uuid(149), uuid(150)])
  await using transcript = await open(file)
  const from = await unreadPart(transcript, (id) => known.has(id))
  expect(size - from).toBeLessThan(900_000)
  expect(
    readFileSync(file)
      .subarray(from - 1, from + 1)
      .toString(),
  ).toBe('\n{')
  expect(await unreadPart(transcript, () => false)).toBe(0)
  await hook(stop('The last answer.'))
  expect((await words()).slice(-2)).toEqual(['The last question.', 'The last answer.'])
  expect(await words()).toHaveLength(152)
})

test('a line that is half written is kept by the next capture, and one without an id is left to an import', async () => {
  const { file, write, hook, words } = await capturing('half')
  const last = JSON.stringify(replied(2, 'Closed.'))
  const { uuid: _none, ...nameless } = said(3, 'Nobody knows my id.')
  write([said(1, 'Close.'), nameless])
  appendFileSync(file, last.slice(0, 40))
  await hook(stop())
  expect(await words()).toEqual(['Close.'])
  appendFileSync(file, `${last.slice(40)}\n`)
  await hook(stop())
  expect(await words()).toEqual(['Close.', 'Closed.'])
})

test('the last words of a turn are waited for, and never stored twice', async () => {
  const { write, go, hook, words, all } = await capturing('flush')
  write([said(1, 'Close.')])
  const hooked = hook({ ...stop('Closed at last.'), agent_id: 'a1' })
  const stored = (async () => {
    while ((await words()).length < 1) await new Promise((resolve) => setImmediate(resolve))
    go([replied(2, 'Closed at last.')])
  })()
  await Promise.all([hooked, stored])
  expect((await all()).map(({ thread }) => thread)).toEqual([undefined, undefined])
  expect(await words()).toEqual(['Close.', 'Closed at last.'])
  // Not flushed within the wait: the next capture has it.
  await hook(stop('Another word.'))
  expect(await words()).toHaveLength(2)
  go([replied(3, 'Another word.')])
  await hook(end)
  await hook(end)
  expect(await words()).toEqual(['Close.', 'Closed at last.', 'Another word.'])
})

test('without a transcript the last words are stored once', async () => {
  const { hook, all } = await capturing('none')
  for (let round = 0; round < 2; round += 1) await hook(stop('Closed.'))
  await hook(stop())
  const [message, ...others] = await all()
  expect([message?.content, message?.role, message?.origin, others]).toEqual(['Closed.', 'assistant', 'assistant', []])
})

test('outputs and inputs of tools are cut, and their ends stay', async () => {
  const { write, hook, all } = await capturing('tools')
  const log = `${'x'.repeat(50_000)} the error at the end`
  write([
    ours(assistant(1, [call('t1', 'Write', { path: 'a.ts', content: 'y'.repeat(20_000) })])),
    ours(user(2, [result('t1', log)])),
    said(3, 'z '.repeat(10_000)),
  ])
  await hook(stop())
  const [written, output, words] = await all()
  expect(written?.content.length).toBeLessThan(1_500)
  expect(written?.content).toContain('characters left out')
  expect(output?.content.length).toBeLessThan(4_500)
  expect(output?.content).toMatch(/^Write: x+/)
  expect(output?.content).toContain('the error at the end')
  expect(JSON.stringify([written?.parts, output?.parts]).length).toBeLessThan(7_000)
  expect(words?.content).toHaveLength(19_999)
})

test('a subagent’s talk is a thread, and nobody’s own words', async () => {
  const { home, write, hook, all } = await capturing('agents')
  write([said(1, 'Look into the lock.')])
  const agent = join(home, 'agent-e41.jsonl')
  const line = (place: number, more: Line) => JSON.stringify(ours(chained(place, { isSidechain: true, agentId: 'e41', ...more })))
  const lines = [
    line(1, { uuid: uuid(11), parentUuid: null, type: 'user', message: { role: 'user', content: 'Find the lock.' } }),
    line(2, { uuid: uuid(12), parentUuid: uuid(11), type: 'assistant', message: { role: 'assistant', content: 'It is in lock.ts.' } }),
  ]
  writeFileSync(agent, `${lines.join('\n')}\n`)
  const event = {
    hook_event_name: 'SubagentStop',
    stop_hook_active: false,
    agent_id: 'e41',
    agent_type: 'Explore',
    agent_transcript_path: agent,
  }
  for (let round = 0; round < 2; round += 1) await hook({ ...event, last_assistant_message: 'It is in lock.ts.' })
  await hook(stop())
  expect((await all()).map(({ thread, origin, content }) => [thread, origin, content])).toEqual([
    // What led to the subagent stands before it.
    [undefined, 'person', 'Look into the lock.'],
    ['agent-e41', 'assistant', 'Find the lock.'],
    ['agent-e41', 'assistant', 'It is in lock.ts.'],
  ])
  // In a context it has the name of its origin, and a person's prompt that of the user.
  const text = (await hook(prompt('Where is the lock, and who looks into it?', { session_id: 'other' })))?.hookSpecificOutput
    .additionalContext
  expect(text).toContain('assistant: Find the lock.')
  expect(text).toContain('user: Look into the lock.')
  expect(text).not.toContain('user: Find')
})

test('the transcript of a subagent has nobody’s own words, also where its lines do not say whose they are', async () => {
  const { home, hook, all } = await capturing('agent-unmarked')
  const agent = join(home, 'agent-e42.jsonl')
  writeFileSync(agent, [said(1, 'Find the lock.'), replied(2, 'In lock.ts.')].map((line) => `${JSON.stringify(line)}\n`).join(''))
  await hook({ hook_event_name: 'SubagentStop', agent_id: 'e42', agent_transcript_path: agent })
  expect((await all()).map(({ thread, origin }) => [thread, origin])).toEqual([
    ['agent-e42', 'assistant'],
    ['agent-e42', 'assistant'],
  ])
})

test('a forgotten message does not come back', async () => {
  const { write, hook, ada, words } = await capturing('forgotten')
  write([said(1, 'My door code is in the blue book.'), replied(2, 'I see.')])
  await hook(stop())
  await ada.forget({ session: sessionOfHooks })
  await hook(stop())
  await hook(end)
  expect(await words()).toEqual([])
})

test('before a compaction the notes are brought up to date, without a model', async () => {
  const { write, hook, ada } = await capturing('notes')
  await hook(preCompact)
  expect(await ada.notes.get(sessionOfHooks)).toBeUndefined()
  const filler = 'We decided to keep port 4711, and the tests of src/till.ts fail. '.repeat(100)
  write(
    Array.from({ length: 12 }, (_, place) =>
      place % 2 === 0 ? said(place + 1, `${place} ${filler}`) : replied(place + 1, `${place} ${filler}`),
    ),
  )
  await hook(preCompact)
  const notes = await ada.notes.get(sessionOfHooks)
  expect(notes).toMatchObject({ writer: 'extractive' })
  await hook(preCompact)
  expect((await ada.notes.get(sessionOfHooks))?.revision).toBe(notes?.revision)
  const shown = await hook(start('compact'))
  expect(shown?.hookSpecificOutput.additionalContext).toContain('4711')
  expect(await hook({ hook_event_name: 'PostCompact', trigger: 'auto', compact_summary: 'A summary.' })).toBeUndefined()
})

// requirement: P4.10
test('in a hundred rounds nothing that was injected is captured, and items stay flat', async () => {
  const { write, go, hook, ada, memory, all } = await capturing('echo')
  await ada.append('earlier', {
    role: 'user',
    content: 'I live in Friedrichshafen, and my sister Philomena keeps the zeppelin museum there.',
  })
  await memory.upkeep.run({ maxSeconds: 60 })
  const counts = async () => [(await ada.facts.list({ limit: 1_000 })).length, (await ada.gists.list({ limit: 1_000 })).length]
  write([])
  const question = 'Where is the zeppelin museum of Philomena?'
  const after: (readonly number[])[] = []
  for (let round = 0; round < 100; round += 1) {
    const context = (await hook(prompt(question)))?.hookSpecificOutput.additionalContext ?? ''
    expect(context).toContain('Friedrichshafen')
    const place = round * 3 + 1
    go([
      // The three places where Claude Code has put a hook's context, and a model that repeats it.
      ours(chained(place, { type: 'attachment', attachment: { type: 'hook_additional_context', content: [context] } })),
      said(place + 1, `<system-reminder>\nUserPromptSubmit hook additional context: ${context}\n</system-reminder>\n${question}`),
      replied(place + 2, round % 2 === 0 ? context : `As I know: ${context.replaceAll(/<[^>]*>/g, '')}`),
    ])
    await hook(stop())
    if (round % 33 === 0) {
      await ada.distil(sessionOfHooks)
      after.push(await counts())
    }
  }
  await ada.distil(sessionOfHooks)
  for (const one of after) expect(one).toEqual(after[0])
  expect(await counts()).toEqual(after[0])
  const messages = await all()
  expect(messages).toHaveLength(200)
  expect(messages.filter(({ role }) => role === 'user').every(({ content }) => content === question)).toBe(true)
  for (const { content, recalled } of messages.filter(({ role }) => role === 'assistant')) {
    const kept = (recalled ?? []).toReversed().reduce((text, { from, to }) => text.slice(0, from) + text.slice(to), content)
    expect(kept).not.toMatch(/zeppelin museum there/)
  }
  const { hits } = await ada.recall('zeppelin museum Friedrichshafen', { kinds: ['message'], limit: 50 })
  expect(hits.filter(({ session, text }) => session === sessionOfHooks && text.includes('Friedrichshafen'))).toEqual([])
})

test('a transcript that is replaced is read anew', async () => {
  const { file, write, hook, words } = await capturing('replaced')
  write([said(1, 'One.'), replied(2, 'Two.')])
  await hook(stop())
  rmSync(file)
  write([said(7, 'Seven.'), replied(8, 'Eight.')])
  await hook(stop())
  expect(await words()).toEqual(['One.', 'Two.', 'Seven.', 'Eight.'])
})

test('with --url a server is asked and told in place of a store, with the key of VARVE_KEY', async () => {
  const typed = typedIn('served')
  const { memory, url } = await servedForTest()
  const { key } = await memory.keys.create({ project: 'kiosk', user: 'ada' })
  const ada = memory.for({ project: 'kiosk', user: 'ada' })
  await ada.append('earlier', { role: 'user', content: 'The ferry timetable is parsed by src/ferry.ts.' })
  const { write } = hooksOf(typed)
  write([said(1, 'Close.'), replied(2, 'Closed.')])
  const line = ['hook', 'claude-code', '--deadline-ms', '60000', '--url', url, '--project', 'kiosk', '--user', 'ada']
  const hook = (event: Parameters<typeof eventJson>[0], VARVE_KEY: string) =>
    typed.varve(line, eventJson(event, typed.home), { VARVE_KEY, VARVE_HOOK_DEBUG: '1' })
  const question = prompt('Which file parses the ferry timetable?')
  expect((await hook(question, key)).stderr).toBe('')
  expect(JSON.parse((await hook(question, key)).stdout).hookSpecificOutput.additionalContext).toContain('src/ferry.ts')
  await hook(stop('Closed.'), key)
  await hook(end, key)
  expect((await ada.messages(sessionOfHooks)).map(({ content }) => content)).toEqual(['Close.', 'Closed.'])
  expect(existsSync(typed.store)).toBe(false)
  // Each event names the code of the failure, and not its words.
  for (const event of [question, start('startup'), start('compact'), stop('Closed.')])
    for (const wrong of [`${key}x`, ''])
      expect(await hook(event, wrong), event.hook_event_name).toMatchObject({
        code: 0,
        stdout: '',
        stderr: 'varve hook: UNAUTHENTICATED\n',
      })
  const nobody = line.with(line.indexOf(url), 'http://127.0.0.1:9')
  for (const event of [question, start('startup'), stop('Closed.')]) {
    const run = await typed.varve(nobody, eventJson(event, typed.home), { VARVE_KEY: key, VARVE_HOOK_DEBUG: '1' })
    expect(run, event.hook_event_name).toMatchObject({ code: 0, stdout: '', stderr: 'varve hook: SERVER_UNREACHABLE\n' })
  }
})
