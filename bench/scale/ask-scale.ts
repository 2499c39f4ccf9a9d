import { join } from 'node:path'
import { printedBy } from '../speed/ask-child.ts'
import type { ScaleAnswers, ScaleTask } from './tasks.ts'

const child = join(import.meta.dirname, '..', 'scale-child.ts')

/** Runs a task in a process of its own. */
export async function askScale<Kind extends ScaleTask['kind']>(task: Extract<ScaleTask, { kind: Kind }>): Promise<ScaleAnswers[Kind]> {
  const answer: ScaleAnswers[Kind] = JSON.parse(await printedBy(child, task))
  return answer
}
