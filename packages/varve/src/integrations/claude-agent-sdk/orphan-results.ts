import { fieldOf, listField, textField } from '../../turns/outside-json.ts'
import type { TranscriptEntry } from './transcript-key.ts'

/** Gives the ids of the tools' calls in an entry. */
export function toolUsesIn(entry: TranscriptEntry): readonly string[] {
  return listField(entry['message'], 'content').flatMap((block) =>
    fieldOf(block, 'type') === 'tool_use' ? (textField(block, 'id') ?? []) : [],
  )
}

/** Takes the results out of an entry whose calls are not there: no model takes one alone. Undefined when nothing else is in it. */
export function withoutOrphans(entry: TranscriptEntry, calls: ReadonlySet<string>): TranscriptEntry | undefined {
  const content = listField(entry['message'], 'content')
  const isOrphan = (block: unknown): boolean =>
    fieldOf(block, 'type') === 'tool_result' && !calls.has(textField(block, 'tool_use_id') ?? '')
  const left = content.filter((block) => !isOrphan(block))
  if (left.length === content.length) return entry
  return left.length === 0 ? undefined : { ...entry, message: { ...Object(entry['message']), content: left } }
}
