import { printedBy } from '../ask-child.ts'
import type { EmbeddedAnswers, EmbeddedTask } from './tasks.ts'

const child = import.meta.resolve('./child.ts')

/** Runs a task in a process of its own. Rejects with the process's output when it fails. */
export async function askEmbedded<Kind extends EmbeddedTask['kind']>(
  task: Extract<EmbeddedTask, { kind: Kind }>,
): Promise<EmbeddedAnswers[Kind]> {
  const answer: EmbeddedAnswers[Kind] = JSON.parse(await printedBy(new URL(child).pathname, task))
  return answer
}
