import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answer, type Files, ownTool, varveTool } from '../../../../../test/fixtures/anthropic/both-tools.ts'
import { type MemoryCommand, memoryCommand } from '../../../../../test/fixtures/anthropic/memory-commands.ts'
import { sharedMemory } from '../../../../../test/fixtures/memory/shared.ts'
import { defused } from '../../messages/defused.ts'
import { runs } from '../../testing/runs.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })

/** Where Varve's tool differs from the SDK's knowingly. The guide lists each. */
function differs(
  { command, path, old_path: old, new_path: next, old_str: text }: MemoryCommand,
  before: Files,
  own: Answer,
): string | undefined {
  const paths = [path, old, next].filter((one) => typeof one === 'string')
  if (own.isRaw) return 'an error of the operating system, with a path of the host'
  if (paths.some((one) => one.startsWith('/memories') && !/^\/memories(\/|$)/.test(one))) return 'a second name for a file'
  if (paths.some((one) => !one.isWellFormed())) return 'a path that is no text'
  if (command !== 'str_replace' || typeof text !== 'string') return undefined
  if (!text.isWellFormed()) return 'half a character is replaced'
  if (text.includes('\n')) return 'several lines are replaced'
  const content =
    before[
      String(path)
        .replaceAll(/\/+(?:\.\/)*/g, '/')
        .replace(/\/$/, '')
    ] ?? Object.values(before).join('\n')
  return text !== '' && content.split('\n').some((line) => line.indexOf(text) !== line.lastIndexOf(text)) ? 'twice in a line' : undefined
}

const firstFiles: readonly MemoryCommand[] = ['/memories/a.md', '/memories/c/a.md', '/memories/c/b/a.md'].map((path) => ({
  command: 'create',
  path,
  file_text: 'red\nblue\ngreen\nwhite',
}))

test('any commands give the answers and the files of the SDK’s own tool', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(memoryCommand, { minLength: 10, maxLength: 60, size: 'max' }), async (commands) => {
      const own = await ownTool()
      const varve = varveTool(shared.user())
      try {
        for (const command of [...firstFiles, ...commands]) {
          const before = command.command === 'str_replace' ? await varve.files() : {}
          const [expected, got] = [await own.run(command), await varve.run(command)]
          const difference = differs(command, before, expected)
          expect(got.isRaw, got.text).toBe(false)
          if (expected.isRaw) expect(got.isError, JSON.stringify(command)).toBe(true)
          expect(got.text).not.toContain(own.base)
          if (difference === undefined) {
            expect({ command, ...got }).toEqual({ command, ...expected, text: defused(expected.text.toWellFormed()) })
            if (command.command !== 'view') expect({ command, files: await varve.files() }).toEqual({ command, files: await own.files() })
          } else await own.become(await varve.files())
          const kind = difference ?? `${command.command} ${got.isError ? 'refused' : 'done'}`
          seen.set(kind, (seen.get(kind) ?? 0) + 1)
        }
      } finally {
        await own.remove()
      }
    }),
    { numRuns: runs(90) },
  )
  // Each command was done, and refused, several times: else the comparison would be of nothing.
  for (const name of ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'])
    for (const end of ['done', 'refused']) expect(seen.get(`${name} ${end}`) ?? 0, `${name} ${end}`).toBeGreaterThan(4)
}, 120_000)
