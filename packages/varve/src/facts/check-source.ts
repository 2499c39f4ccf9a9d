import { InvalidOption } from '../errors/invalid-option.ts'
import type { RecalledRange } from '../messages/message.ts'
import { shown } from '../errors/shown.ts'
import { findMessageRow } from '../storage/log/messages.ts'
import type { SourceRange } from '../storage/known/assertions.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'

/** A source of a fact that is added by hand: a message, or words of it (the text or its place). */
export interface CheckedSource {
  readonly message: string
  readonly text: string | undefined
  readonly from: number | undefined
  readonly to: number | undefined
}

/**
 * Finds the ranges of messages on which a fact is to rest. InvalidOption when the words are not in the message, or are
 * no person's. NotFound for another partition's message.
 */
export function* sourceRanges(owner: PartitionRow, sources: readonly CheckedSource[]): Program<readonly SourceRange[]> {
  const ranges: SourceRange[] = []
  for (const [place, source] of sources.entries()) {
    const refuse = (received: unknown, expected: string): never => {
      throw new InvalidOption({ option: `sources[${place}]`, received: shown(received), expected })
    }
    const { session_id: session, seq, content, origin, recalled } = yield* findMessageRow(owner, source.message)
    if (origin !== 'person') refuse(source, `a message that a person wrote, not one of origin ${origin}`)
    const leftOut: readonly RecalledRange[] = recalled === null ? [] : JSON.parse(recalled)
    const from = source.text === undefined ? (source.from ?? 0) : content.indexOf(source.text)
    const to = source.text === undefined ? (source.to ?? content.length) : from + source.text.length
    if (from < 0) refuse(source, 'words as they stand in that message')
    if (!content.slice(from, to).isWellFormed()) refuse(source, 'a range that does not cut a character in two')
    if (to > content.length || from >= to) refuse(source, `a range within its ${content.length} characters`)
    if (leftOut.some((range) => range.from < to && from < range.to)) refuse(source, 'what the person said, not what Varve had put there')
    ranges.push({ session, seq, from, to })
  }
  return ranges
}
