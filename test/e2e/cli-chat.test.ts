import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import type { ScriptedAnswer, ScriptedRequest } from '../../packages/varve/src/testing/scripted-completion.ts'
import { scriptedModelServer } from '../../packages/varve/src/testing/scripted-model-server.ts'
import { builtProgram } from '../built.ts'
import { typedIn } from '../fixtures/cli/typed.ts'
import { hostileTexts } from '../fixtures/hostile/attacks.ts'
import { heldBack } from '../fixtures/hostile/check.ts'
import { plant } from '../fixtures/hostile/planted.ts'

const { varve, store, home } = typedIn('chat')

/** A model's server, and the chat with it as somebody types it. */
async function chatting(script: (request: ScriptedRequest) => ScriptedAnswer) {
  const models = await scriptedModelServer(script)
  onTestFinished(() => models.close())
  const env = { VARVE_MODEL_URL: models.url, VARVE_MODEL: 'small', VARVE_MODEL_KEY: ['sk', 'chat'].join('-') }
  const chat = (user: string, lines: readonly string[], ...flags: string[]) =>
    varve(['chat', '--user', user, ...flags], lines.map((line) => `${line}\n`).join(''), env)
  return { models, env, chat }
}

async function kept(user: string, session: string): Promise<string[]> {
  await using memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false, languageModel: false })
  return (await memory.for(user).messages(session)).map(({ role, content }) => `${role}: ${content}`)
}

test('without a model it says which variables name one, and makes no store', async () => {
  const { code, stderr } = await varve(['chat'], 'Hello.\n')
  expect(code).toBe(2)
  expect(stderr).toContain('VARVE_MODEL_URL: is not set, and neither is VARVE_MODEL')
  expect(stderr).toContain('VARVE_MODEL_KEY')
  expect((await varve(['chat'], '', { VARVE_MODEL: 'small' })).stderr).toContain('VARVE_MODEL_URL does not say where it is served')
  expect(existsSync(store)).toBe(false)
})

test('what one session said is known in the next, with the memories that the model read below its answer', async () => {
  const { models, chat } = await chatting(({ prompt }) => ({
    pieces: prompt.includes('allergic to sesame') && prompt.includes('What am I') ? ['To ', 'sesame.'] : ['Good ', 'to ', 'know.'],
  }))
  const first = await chat('ada', ['I am allergic to sesame.'], '--session', 'monday')
  expect(first).toMatchObject({ code: 0, stdout: 'Good to know.\n' })
  expect(first.stderr).toBe('small, session monday. /help, /quit.\n')
  const second = await chat('ada', ['What am I allergic to?', '/memories', '/quit', 'never said'])
  expect(second).toMatchObject({ code: 0, stdout: 'To sesame.\n' })
  expect(second.stderr).toMatch(/^ {2}\d+\. message \d{4}-\d\d-\d\d {2}user: I am allergic to sesame\.$/m)
  expect(second.stderr).toMatch(/^\d+\. message \d{4}-\d\d-\d\d\nuser: I am allergic to sesame\.$/m)
  expect(models.requests.map(({ authorization }) => authorization)).toEqual(
    Array.from({ length: 2 }, () => `Bearer ${['sk', 'chat'].join('-')}`),
  )
  expect(await kept('ada', 'monday')).toEqual(['user: I am allergic to sesame.', 'assistant: Good to know.'])
})

test('lines of a pipe are turns of one talk, whose history the model reads; --session goes on with one', async () => {
  const { models, chat } = await chatting(({ number }) => ({ text: `Answer ${number}.` }))
  await chat('bob', ['One?', 'Two?'], '--session', 'talk')
  await chat('bob', ['Three?', '/new', 'Four?'], '--session', 'talk')
  const roles = models.requests.map(({ body }) => JSON.parse(JSON.stringify(body['messages'])).map(({ role }: { role: string }) => role))
  const turns = (count: number): string[] => ['system', ...Array.from({ length: count }, () => ['user', 'assistant']).flat(), 'user']
  expect(roles).toEqual([turns(0), turns(1), turns(2), turns(0)])
  const said = ['One?', 'Two?', 'Three?'].flatMap((words, at) => [`user: ${words}`, `assistant: Answer ${at + 1}.`])
  expect(await kept('bob', 'talk')).toEqual(said)
})

test('/forget shows what would go, and erases after a yes; the next prompt has none of it', async () => {
  const { models, chat } = await chatting(() => ({ text: 'Noted.' }))
  const { code, stderr } = await chat(
    'eve',
    ['The code is 4711.', '/forget', '/forget yes', 'What is the code?', '/help'],
    '--session',
    's',
  )
  expect(code).toBe(0)
  expect(stderr).toMatch(/Would be forgotten: 2 messages.*\/forget yes/)
  expect(stderr).toMatch(/^Forgotten: 2 messages/m)
  expect(stderr).toContain('/memories <words>')
  expect(JSON.stringify(models.requests.at(-1)?.body)).not.toContain('4711')
  expect(JSON.stringify(models.requests[0]?.body)).toContain('4711')
  expect(await kept('eve', 's')).toEqual([])
})

test.each([
  ['a yes without a /forget', ['The code is 4711.', '/forget yes'], 'Nothing was erased: /forget shows what would go'],
  ['a yes too late', ['The code is 4711.', '/forget', '/memories code', '/forget yes'], 'Nothing was erased'],
  ['a /forget without its yes', ['The code is 4711.', '/forget'], 'Nothing was erased'],
  ['a number of nothing', ['The code is 4711.', '/forget 99'], 'there is no such message above. /forget erases this session'],
  ['a command that is none', ['The code is 4711.', '/forgte'], 'there is no /forgte.'],
])('what was not done in a pipe is told, with exit code 1: %s', async (name, lines, told) => {
  const { chat } = await chatting(() => ({ text: 'Noted.' }))
  const { code, stderr } = await chat(name, lines, '--session', 's')
  expect(stderr).toContain(told)
  expect(code).toBe(1)
  expect(await kept(name, 's')).toEqual(['user: The code is 4711.', 'assistant: Noted.'])
})

test.each([
  ['nothing', {}, 'the model gave no words: its answer was empty.'],
  ['thoughts alone', { reasoning: 'Hm.' }, 'the model gave no words: its answer was empty.'],
  ['blanks', { text: ' \n' }, 'the model gave no words'],
  ['nothing, held back', { finish: 'content_filter' }, 'the model gave no words: a filter held it back.'],
  ['nothing, too long', { finish: 'length' }, 'the model gave no words: it reached the most tokens that it may write.'],
  ['half an answer', { text: 'The kiosk', finish: 'length' }, 'the answer is not whole: it reached the most tokens'],
])('an answer of %s is told as one, with exit code 1', async (name, answer, told) => {
  const { chat } = await chatting(({ number }) => (number === 1 ? answer : { text: 'Here.' }))
  const { code, stdout, stderr } = await chat(`no words ${name}`, ['Are you there?', 'And now?'])
  expect(stderr).toContain(`varve: ${told}`)
  expect({ code, last: stdout.endsWith('Here.\n') }).toEqual({ code: 1, last: true })
})

test('an answer without words is a line of JSON too, with why it ended', async () => {
  const { chat } = await chatting(() => ({ finish: 'content_filter' }))
  const { code, stdout } = await chat('no words in JSON', ['Are you there?'], '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ answer: '', isStopped: false, finish: 'content-filter' })
})

test('a connection that is refused names the address, without a path or key', async () => {
  const gone = await scriptedModelServer(() => ({ text: 'Never.' }))
  const { origin } = new URL(gone.url)
  await gone.close()
  const env = { VARVE_MODEL_URL: `${origin}/v1/secret`, VARVE_MODEL: 'small', VARVE_MODEL_KEY: 'hidden' }
  const { code, stderr } = await varve(['chat', '--user', 'refused'], 'Are you there?\n', env)
  expect(code).toBe(1)
  expect(stderr).toContain(`varve: small at ${origin} failed: its call failed`)
  expect(stderr).not.toMatch(/secret|hidden/)
})

test('a memory above is forgotten by its number', async () => {
  const { chat } = await chatting(() => ({ text: 'Yes.' }))
  await chat('fay', ['The kiosk sells green soup.'], '--session', 'past')
  const { stderr } = await chat(
    'fay',
    ['Does the kiosk sell green soup?', '/forget 1', '/forget yes', '/memories kiosk'],
    '--session',
    'now',
  )
  expect(stderr).toMatch(/ {2}1\. message .* The kiosk sells green soup\./)
  expect(stderr).toMatch(/^Forgotten: 1 message/m)
  expect((await kept('fay', 'past')).join()).not.toContain('green soup')
})

test('a model that fails is told in Varve’s words, the person’s words are kept, and the exit code is 1', async () => {
  const { chat } = await chatting(({ number }) => (number === 1 ? { status: 401, text: 'SECRET of the provider' } : { text: 'Here.' }))
  const { code, stdout, stderr } = await chat('gus', ['Are you there?', 'And now?'], '--session', 's')
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'Here.\n' })
  expect(stderr).toContain('small failed: it answered 401; check the key.')
  expect(stderr).not.toContain('SECRET')
  expect(await kept('gus', 's')).toEqual(['user: Are you there?', 'user: And now?', 'assistant: Here.'])
})

test('--json prints a line an answer', async () => {
  const { chat } = await chatting(() => ({ text: 'Soup.' }))
  await chat('hal', ['The kiosk sells soup.'], '--session', 'past')
  const { stdout, stderr } = await chat('hal', ['What does the kiosk sell?'], '--session', 'now', '--json')
  expect(stderr).toBe('')
  const { memories, ...answer } = JSON.parse(stdout)
  expect(answer).toEqual({ session: 'now', answer: 'Soup.', isStopped: false, finish: 'stop' })
  expect(memories).toContainEqual(expect.objectContaining({ kind: 'message', text: 'user: The kiosk sells soup.' }))
})

test('hostile memories and a hostile answer are shown harmless', async () => {
  const attacks = hostileTexts.filter(({ isName }) => isName !== true).filter((_, at) => at % 15 === 0)
  const { chat } = await chatting(() => ({ pieces: ['\u001b[2J', '\u001b', ']0;title\u0007<|im_start|>system'] }))
  for (const [at, attack] of attacks.entries()) {
    const user = `hostile ${at}`
    {
      await using memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false, languageModel: false })
      await plant(memory.for(user), { text: `kiosk ferry ${attack.text}` })
    }
    const { stdout, stderr } = await chat(user, ['kiosk ferry', '/memories', '/memories kiosk'])
    expect(heldBack(stderr, attack), attack.text.slice(0, 80)).toEqual([])
    for (const sign of ['\u001b', '\u0007', '<|im_start']) expect(stdout).not.toContain(sign)
  }
}, 120_000)

test('Ctrl-C stops an answer and keeps what was said; the next one ends the talk', async () => {
  const { models, env } = await chatting(() => ({ pieces: ['It opens ', 'at ten '], hangs: true }))
  const main = builtProgram('packages/varve/src/cli/main.ts')
  const child = spawn(process.execPath, [main, 'chat', '--user', 'ivy', '--session', 's', '--store', store], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off', ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const told = text(child.stderr)
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (shown += piece))
  for (const turn of [1, 2]) {
    child.stdin.write('When?\n')
    await expect.poll(() => shown.split('at ten ').length, { timeout: 60_000 }).toBe(turn + 1)
    child.kill('SIGINT')
    await expect.poll(() => models.abandoned, { timeout: 60_000 }).toBe(turn)
    await expect.poll(() => shown.endsWith('\n'), { timeout: 60_000 }).toBe(true)
  }
  child.kill('SIGINT')
  expect(await exit).toEqual([0, null])
  expect((await told).match(/\(stopped\)/g)).toHaveLength(2)
  expect(await kept('ivy', 's')).toEqual(['user: When?', 'assistant: It opens at ten ', 'user: When?', 'assistant: It opens at ten '])
})
