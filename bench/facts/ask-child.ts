import { join } from 'node:path'
import { printedBy } from '../speed/ask-child.ts'
import type { Answers, Task } from './tasks.ts'

const child = join(import.meta.dirname, '..', 'facts-child.ts')

/** Runs a task in a process of its own. Rejects with the process's output when it fails. */
export async function askChild<Kind extends Task['kind']>(task: Extract<Task, { kind: Kind }>): Promise<Answers[Kind]> {
  // The child prints the result of its task.
  const answer: Answers[Kind] = JSON.parse(await printedBy(child, task))
  return answer
}
