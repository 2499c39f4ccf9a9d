import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const child = builtProgram('test/fixtures/doors/killed-child.ts')
const words = 'The ferry to Krummsiel leaves at noon.'

// requirement: P1.1
test.each(
  ['AI SDK, generateText', 'AI SDK, streamText', 'LangChain', 'Mastra', 'TanStack AI', 'eve'].flatMap((door) =>
    [0, 50, 500].map((afterMs) => [door, afterMs] as const),
  ),
)('%s: a process that is killed %i ms into the model’s call has the person’s words', { timeout: 60_000 }, async (door, afterMs) => {
  const store = newStore()
  const program = spawn(process.execPath, [child, door, store, words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  program.stderr.on('data', (piece: Buffer) => (printed += piece.toString()))
  const ended = once(program, 'close')
  const called = await Promise.race([once(program.stdout, 'data'), ended])
  expect(String(called[0]), printed).toBe('called\n')
  await sleep(afterMs)
  program.kill('SIGKILL')
  await ended
  const memory = await openForTest({ store, embeddingModel: false })
  expect((await memory.for('ada').timeline({ limit: 10 })).map(({ role, content }) => `${role}: ${content}`)).toEqual([`user: ${words}`])
})
