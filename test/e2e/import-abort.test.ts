import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { temporaryFiles } from '../fixtures/importers/files.ts'

const file = temporaryFiles()
const rounds = 12

test('an import that is stopped settles, at whatever moment, in a process that has nothing else to do', async () => {
  const lines = Array.from({ length: 20_000 }, (_, place) =>
    JSON.stringify({ session: 's', role: 'user', content: `line ${place} of the lock keeper's book` }),
  )
  const child = builtProgram('test/e2e/import-abort-child.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [child, file('book.jsonl', lines.join('\n')), String(rounds)])
  expect(stdout).toBe(`cancelled ${rounds}\n`)
})
