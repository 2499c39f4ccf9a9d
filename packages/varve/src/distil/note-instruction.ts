import { InvalidOption } from '../errors/invalid-option.ts'
import { type NotedBy, noteByAgent } from '../instructions/write-instructions.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Program } from '../storage/program.ts'
import { liftsInstructions } from '../tasks/speaks-to-reader.ts'

/** Notes an instruction of an agent, and gives back its id. InvalidOption for words that no reading of messages would keep either. */
export function* noteInstruction(partition: PartitionId, text: string, by: NotedBy, now: number): Program<string> {
  if (liftsInstructions(text))
    throw new InvalidOption({
      option: 'text',
      received: text,
      expected: 'what the user wants done, without words that would lift a model’s own rules',
    })
  return yield* noteByAgent(partition, text, by, now)
}
