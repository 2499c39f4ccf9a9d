import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { Answers, Task } from './tasks.ts'

const child = join(import.meta.dirname, '..', 'speed-child.ts')

/** Runs a task in a process of its own. Rejects with the process's output when it fails. */
export async function askChild<Kind extends Task['kind']>(task: Extract<Task, { kind: Kind }>): Promise<Answers[Kind]> {
  // The child prints the result of its task.
  return JSON.parse(await printedBy(child, task)) as Answers[Kind]
}

/** Returns a child's output for a task, which is its one argument. */
export async function printedBy(file: string, task: { readonly kind: string }): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  execFile(process.execPath, [file, JSON.stringify(task)], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
    // Node's own message contains the whole task.
    if (error === null) resolve(stdout)
    else reject(new Error(`the process for "${task.kind}" ended with ${error.signal ?? error.code}: ${stderr}`))
  })
  return promise
}
