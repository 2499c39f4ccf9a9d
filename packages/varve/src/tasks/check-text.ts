import type { SourceMessage } from '../models/writer.ts'
import { checkItems } from './check-items.ts'
import type { Source } from './grounding.ts'
import type { Parsed } from './problem.ts'
import { distillable, minuteOf } from './span-prompt.ts'
import type { TextTask } from './text-tasks.ts'

/**
 * The sentences of an answer to `spanPrompt` that may be kept, of one task. Sentences cite messages by seq. Of what the
 * model wrote, nothing but checked sentences leaves here: problems are in our own words.
 */
export function checkTextAnswer(part: unknown, messages: readonly SourceMessage[], task: TextTask): Parsed {
  return checkItems(part, distillable(messages).map(sourceOf), task)
}

function sourceOf({ seq, text, name, at, origin }: SourceMessage): Source {
  return { number: seq, text, head: `${minuteOf(at)} ${name ?? ''}`, isPersons: origin === 'person' }
}
