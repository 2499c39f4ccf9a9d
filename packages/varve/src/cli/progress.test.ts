import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CommandError } from './command-error.ts'
import { progressBar, upkeepBar } from './progress.ts'
import type { ShownUpkeepStatus } from './render/due-work.ts'
import { typedIn } from './shell.ts'

const nothing = { erasures: 0, embeddings: 0, gists: 0, bank: 0, shared: 0, facts: 0, documents: 0, instructions: 0, edits: 0, notes: 0 }

function statusOf(backlog: Partial<ShownUpkeepStatus['backlog']>, sessions = 0): ShownUpkeepStatus {
  return {
    ...{ backlog: { ...nothing, ...backlog }, waiting: { sessions }, failures: [], cost: [] },
    provisional: { gists: 0, bank: 0, shared: 0, facts: 0, documents: 0, instructions: 0 },
    embedding: { name: 'mini', runtime: 'wasm', detail: '', threads: 1, tokens: 0, ms: 0, refused: 0 },
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Gives what a piece of work writes to stderr, when that is a pipe. */
async function told(args: readonly string[], work: () => Promise<void> | void): Promise<string[]> {
  const stderr = new PassThrough()
  const all = text(stderr)
  await typedIn({ args, stdin: Readable.from([]), stdout: new PassThrough(), stderr, env: {} }, async () => work())
  stderr.end()
  return (await all).split('\n').filter((line) => line !== '')
}

/** Works for 20 seconds: a message gets its vector every 50 ms. */
function busy(work: { all?: boolean; embeds?: boolean } = {}): void {
  using bar = upkeepBar(statusOf({ embeddings: 401, gists: 9, facts: 12 }, 2), work)
  for (let left = 400; left > 0; left -= 1) {
    bar.show(statusOf({ embeddings: left, gists: 3, facts: 3 }, 2))
    vi.advanceTimersByTime(50)
  }
}

test('upkeep in a pipe tells what is left, a line every five seconds', async () => {
  expect(await told(['upkeep'], () => busy())).toEqual([
    'varve: left to do: vectors of 301 messages; 1 session to read for gists and facts.',
    'varve: left to do: vectors of 201 messages; 1 session to read for gists and facts.',
    'varve: left to do: vectors of 101 messages; 1 session to read for gists and facts.',
    'varve: left to do: vectors of 1 message; 1 session to read for gists and facts.',
  ])
  expect(vi.getTimerCount()).toBe(0)
})

test('upkeep in a pipe counts sessions that may go on with --all only, and none where it makes vectors only', async () => {
  expect((await told(['upkeep', '--all'], () => busy({ all: true })))[0]).toContain('3 sessions to read for gists and facts')
  expect((await told(['import', 'x'], () => busy({ embeds: true })))[0]).toBe('varve: left to do: vectors of 301 messages.')
})

test('upkeep in a pipe repeats no line, and is silent where nothing is due, and with --json', async () => {
  const idle = (sessions: number): void => {
    using bar = upkeepBar(statusOf({ gists: 2 }, sessions), {})
    bar.show(statusOf({ gists: 2 }, sessions))
    vi.advanceTimersByTime(60_000)
  }
  expect(await told(['upkeep', '--watch'], () => idle(0))).toEqual(['varve: left to do: 2 sessions to read for gists.'])
  expect(await told(['upkeep', '--watch'], () => idle(2))).toEqual([])
  expect(await told(['upkeep', '--json'], () => busy())).toEqual([])
})

test('a long import in a pipe tells its progress, and a short one does not', async () => {
  const reading = (stepMs: number) => async (): Promise<void> => {
    using bar = await progressBar(() => new CommandError('stopped.', { code: 'INTERRUPTED', exitCode: 130, next: '' }))
    for (let step = 1; step <= 10; step += 1) {
      bar.show({ bytes: step * 10, totalBytes: 100, messages: step * 1_000, stored: 0, duplicates: 0 })
      vi.advanceTimersByTime(stepMs)
    }
  }
  expect(await told(['import', 'x'], reading(100))).toEqual([])
  expect(await told(['import', 'x'], reading(2_500))).toEqual([
    ...['20 % read, 2,000', '40 % read, 4,000', '60 % read, 6,000', '80 % read, 8,000', '100 % read, 10,000'].map(
      (line) => `varve: ${line} messages.`,
    ),
  ])
})
