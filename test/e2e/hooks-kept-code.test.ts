import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerHookLine } from '../../packages/varve/src/cli/hook-line.ts'
import { openMemory } from '../../packages/varve/src/index.ts'
import { eventJson, prompt, start, stop } from '../fixtures/hooks/claude-code.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'varve-hooks-kept-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Answers a hook, and tells when its work began and which kinds were done. */
async function told(
  event: { readonly hook_event_name: string },
  kept?: () => undefined,
): Promise<{ began: string[]; done: string[]; output: string | undefined }> {
  const [began, done]: [string[], string[]] = [[], []]
  const { output } = await answerHookLine({
    args: ['claude-code', '--store', join(folder, 'varve.db'), '--project', 'kiosk', '--user', 'ada', '--deadline-ms', '60000'],
    env: {},
    stdin: eventJson(event, folder),
    elapsed: () => 0,
    within: () => undefined,
    begins: (kind) => {
      began.push(kind)
      return kept === undefined ? (...kinds) => void done.push(...kinds) : kept()
    },
    debug: () => undefined,
  })
  return { began, done, output }
}

test('a hook without work to do is no run whose code is kept: there is no store yet, or a prompt only steers', async () => {
  const nothing = { began: [], done: [], output: undefined }
  expect(await told(prompt('Where is the ferry bell?'))).toEqual(nothing)
  expect(await told(start('startup'))).toEqual(nothing)
  await filled()
  expect(await told(prompt('Yes, go on.'))).toEqual(nothing)
})

test('a session that goes on is told nothing, and does the search of a prompt once', async () => {
  expect(await told(start('resume'))).toEqual({ began: [], done: [], output: undefined })
  await filled()
  const ready = { began: ['UserPromptSubmit'], done: ['UserPromptSubmit'], output: undefined }
  expect(await told(start('resume'))).toEqual(ready)
  expect(await told(start('resume'), () => undefined)).toEqual({ ...ready, done: [] })
})

test('a prompt and a capture tell their kind, and the start of a session has done the search of a prompt too', async () => {
  await filled()
  const bell = await told(prompt('Where is the ferry bell?'))
  expect(bell).toMatchObject({ began: ['UserPromptSubmit'], done: ['UserPromptSubmit'] })
  expect(bell.output).toContain('behind the kiosk')
  expect(await told(start('startup'))).toMatchObject({ began: ['SessionStart'], done: ['SessionStart', 'UserPromptSubmit'] })
  expect(await told(stop())).toMatchObject({ began: ['Stop'], done: ['Stop'] })
})

test('the search at the start of a session leaves no trace', async () => {
  await filled()
  await told(start('startup'))
  await using memory = await openMemory({ store: join(folder, 'varve.db'), embeddingModel: false, upkeep: 'manual' })
  const shown = await Array.fromAsync(memory.for({ project: 'kiosk', user: 'ada' }).contexts.list())
  expect(shown).toHaveLength(1)
})

async function filled(): Promise<void> {
  await using memory = await openMemory({ store: join(folder, 'varve.db'), embeddingModel: false, upkeep: 'manual' })
  const ada = memory.for({ project: 'kiosk', user: 'ada' })
  await ada.append('earlier', { role: 'user', content: 'The ferry bell hangs behind the kiosk.' })
  await ada.distil('earlier')
}
