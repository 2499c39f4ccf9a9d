import type { SourceMessage } from '../models/writer.ts'
import { checkItems } from './check-items.ts'
import type { Source } from './grounding.ts'
import type { Parsed } from './problem.ts'
import { distillable } from './span-prompt.ts'
import type { TextTask } from './text-tasks.ts'

/**
 * Gives the sentences of an answer to `spanPrompt` that may be kept, of one task. Sentences cite messages by seq. Only
 * checked sentences of the model leave here; problems are in Varve's own words.
 */
export function checkTextAnswer(part: unknown, messages: readonly SourceMessage[], task: TextTask): Parsed {
  return checkItems(part, distillable(messages).map(sourceOf), task)
}

function sourceOf({ seq, text, name, at, origin, isShared }: SourceMessage): Source {
  return { number: seq, text, head: name ?? '', at, isPersons: origin === 'person' || isShared === true }
}
