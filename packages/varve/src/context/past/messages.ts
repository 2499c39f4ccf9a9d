import type { Passage } from '../../index/passages.ts'
import type { Message } from '../../messages/message.ts'
import type { Superseded } from '../../recall/hit.ts'
import { AskedWords } from '../../recall/asked-words.ts'
import { supersededMessages } from '../../recall/states.ts'
import type { ShownItem } from '../../storage/log/past-contexts.ts'
import { messagesWith } from '../../storage/log/messages.ts'
import type { Program } from '../../storage/program.ts'
import { day, detailLine, recentCandidate } from '../candidates.ts'
import { endNotes, withEndNotes } from '../ended-notes.ts'
import { Excerpts } from '../excerpts.ts'
import { type Form, idsOf, type PastInput, type Remade, remade } from './remade.ts'

/** Makes the lines of messages again: recent turns, and details. */
export function* remadeMessages(input: PastInput, tier: 'recent' | 'details', items: readonly ShownItem[]): Program<readonly Remade[]> {
  const { partition, owner, at, now } = input
  const messages = yield* messagesWith(owner, idsOf(items))
  const all = [...messages.values()]
  // The ends of states are derived, so they are found as they were known then. Statements of that very time may differ.
  const marks = [
    yield* supersededMessages(partition, all, at, at),
    yield* supersededMessages(partition, all, at),
    new Map<string, Superseded>(),
    yield* supersededMessages(partition, all, now),
  ]
  return items.map((item) => {
    const message = messages.get(item.id ?? '')
    if (message === undefined) return remade(input, item, undefined)
    const formOf = tier === 'recent' ? recentForm : detailForm
    const forms = marks.map((mark) => formOf(message, mark.get(message.id), item))
    return remade(input, item, { forms, recordedAt: message.recordedAt })
  })
}

function recentForm(message: Message, mark: Superseded | undefined): Form {
  return { line: recentCandidate({ ...message, content: withEndNotes(message.content, endNotes(mark)) }, 0).line }
}

function detailForm(message: Message, mark: Superseded | undefined, { ranges = [] }: ShownItem): Form {
  const excerpts = new Excerpts(message.content, [], new AskedWords([], []), endNotes(mark))
  const parts = pairs(ranges)
  return { line: detailLine(message, parts.length === 0 ? excerpts.whole : excerpts.render(parts)), heading: day(message.at) }
}

function pairs(ranges: readonly number[]): readonly Passage[] {
  return ranges.flatMap((from, at) => (at % 2 === 0 ? [{ from, to: ranges[at + 1] ?? from }] : []))
}
