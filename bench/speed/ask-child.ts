import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Answers, Task } from './tasks.ts'

const run = promisify(execFile)
const child = join(import.meta.dirname, '..', 'speed-child.ts')

/** Does a task in a process of its own. Rejects with what the process said when it fails. */
export async function askChild<Kind extends Task['kind']>(task: Extract<Task, { kind: Kind }>): Promise<Answers[Kind]> {
  const { stdout } = await run(process.execPath, [child, JSON.stringify(task)], { maxBuffer: 2 ** 26 })
  // The child prints what its task gives back.
  return JSON.parse(stdout) as Answers[Kind]
}
