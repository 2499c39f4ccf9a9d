import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listSessions, type Options, query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import { expect, onTestFinished, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { sessionStore } from '../../packages/varve/src/integrations/claude-agent-sdk/index.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

// The SDK is the real one, and so is the process that it starts. The program is a script of ours: no model answers.
const program = join(import.meta.dirname, '../fixtures/claude-agent-sdk/claude-child.ts')

/** A machine: a home of Claude Code, empty at first. All have the project in one folder. */
function machine(cwd: string, ada: UserMemory): Options {
  const home = mkdtempSync(join(cwd, 'home-'))
  return {
    cwd,
    env: { ...process.env, CLAUDE_CONFIG_DIR: home },
    sessionStore: sessionStore(ada),
    pathToClaudeCodeExecutable: program,
    // This Node: the one in the path may be too old for it.
    spawnClaudeCodeProcess: ({ args, cwd: folder, env, signal }) =>
      spawn(process.execPath, [program, ...args.filter((one) => one !== program)], {
        ...{ env, signal, stdio: ['pipe', 'pipe', 'inherit'] },
        ...(folder === undefined ? {} : { cwd: folder }),
      }),
  }
}

function project(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'claude-query-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'app'))
  return join(folder, 'app')
}

interface Asked {
  readonly session: string
  readonly reply: string
}

/** Asks once, and gives what the program heard in all. */
async function ask(prompt: string, options: Options): Promise<Asked> {
  for await (const message of query({ prompt, options }))
    if (message.type === 'result' && message.subtype === 'success') return { session: message.session_id, reply: message.result }
  throw new TypeError('the program gave no result')
}

/** Forgets the person's message with a word. */
async function forget(ada: UserMemory, session: string, word: string): Promise<void> {
  const messages = (await ada.messages(session)).filter(({ content }) => content.includes(word)).map(({ id }) => id)
  expect(messages).toHaveLength(1)
  expect(await ada.forget({ messages })).toMatchObject({ logical: 'done', physical: 'done' })
}

async function memory(): Promise<{ readonly ada: UserMemory; readonly file: string }> {
  const file = newStore()
  const opened = await openForTest({ store: file, embeddingModel: false, languageModel: false })
  return { ada: opened.for('ada'), file }
}

test('a query is mirrored, resumed on an empty machine, and goes on without what was forgotten between two turns', async () => {
  const [{ ada, file }, cwd, word] = [await memory(), project(), canary()]
  const { session } = await ask('The kiosk opens at nine.', machine(cwd, ada))
  const second = await ask(`My pin is ${word}.`, { ...machine(cwd, ada), resume: session })
  expect(second).toEqual({ session, reply: `The kiosk opens at nine. | My pin is ${word}.` })
  const third = await ask('Nando pays.', { ...machine(cwd, ada), resume: session })
  expect(third.reply).toBe(`The kiosk opens at nine. | My pin is ${word}. | Nando pays.`)
  expect((await ada.recall('When does the kiosk open?')).hits[0]?.text).toContain('opens at nine')
  await forget(ada, session, word)
  expect(tracesOf([word], file)).toEqual([])
  const fourth = await ask('Who pays?', { ...machine(cwd, ada), resume: session })
  expect(fourth.reply).toBe('The kiosk opens at nine. | Nando pays. | Who pays?')
  expect(await listSessions({ dir: cwd, sessionStore: sessionStore(ada) })).toMatchObject([{ sessionId: session, summary: 'Who pays?' }])
  expect(tracesOf([word], file)).toEqual([])
})

test('a program that still has the words in mind sends them again after the forget, and they stay away', async () => {
  const [{ ada, file }, cwd, word] = [await memory(), project(), canary()]
  const heard: string[] = []
  const answered = Promise.withResolvers<string>()
  const forgotten = Promise.withResolvers<void>()
  const said = (content: string): SDKUserMessage => ({ type: 'user', parent_tool_use_id: null, message: { role: 'user', content } })
  async function* prompt(): AsyncGenerator<SDKUserMessage> {
    yield said(`My pin is ${word}.`)
    await forgotten.promise
    yield said('Nando pays.')
  }
  async function forgetFirst(): Promise<void> {
    await forget(ada, await answered.promise, word)
    forgotten.resolve()
  }
  const run = (async () => {
    for await (const message of query({ prompt: prompt(), options: machine(cwd, ada) })) {
      if (message.type !== 'result' || message.subtype !== 'success') continue
      heard.push(message.result)
      answered.resolve(message.session_id)
      if (heard.length === 2) break
    }
  })()
  await Promise.all([run, forgetFirst()])
  const session = await answered.promise
  // The process keeps what it heard; the store does not.
  expect(heard).toEqual([`My pin is ${word}.`, `My pin is ${word}. | Nando pays.`])
  const key = { projectKey: cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'), sessionId: session }
  expect(JSON.stringify(await sessionStore(ada).load(key))).not.toContain(word)
  expect(tracesOf([word], file)).toEqual([])
  const after = await ask('Who pays?', { ...machine(cwd, ada), resume: session })
  expect(after.reply).toBe('Nando pays. | Who pays?')
})
