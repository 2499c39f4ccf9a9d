import type { Passage } from '../../index/passages.ts'
import type { Message } from '../../messages/message.ts'
import type { Superseded } from '../../recall/hit.ts'
import { supersededMessages } from '../../recall/states.ts'
import type { ShownItem } from '../../storage/log/past-contexts.ts'
import { messagesWith } from '../../storage/log/messages.ts'
import { findSessionRow } from '../../storage/log/sessions.ts'
import type { Program } from '../../storage/program.ts'
import { day, detailLine, recentCandidate } from '../candidates.ts'
import { endNotes } from '../ended-notes.ts'
import { turnLine, turnsHeading } from '../opening.ts'
import { saidText, textOfRanges, turnText } from '../said-text.ts'
import { type Form, pastIds, type PastInput, type Remade, remade } from './remade.ts'

/** Makes the lines of messages again: recent turns, and details. */
export function* remadeMessages(input: PastInput, tier: 'recent' | 'details', items: readonly ShownItem[]): Program<readonly Remade[]> {
  const messages = yield* messagesWith(input.owner, pastIds(items))
  const marks = yield* marksOf(input, [...messages.values()])
  return items.map((item) => {
    const message = messages.get(item.id ?? '')
    if (message === undefined) return remade(input, item, undefined)
    const formOf = tier === 'recent' ? recentForm : detailForm
    const forms = bareAndSaid(message).flatMap((one) => marks.map((mark) => formOf(one, mark.get(message.id), item)))
    return remade(input, item, { forms, recordedAt: message.recordedAt })
  })
}

/** Makes the newest turns of sessions without a gist again, each with the heading of its session. */
export function* remadeTurns(input: PastInput, items: readonly ShownItem[]): Program<ReadonlyMap<ShownItem, Remade>> {
  const messages = items.length === 0 ? new Map<string, Message>() : yield* messagesWith(input.owner, pastIds(items))
  const marks = yield* marksOf(input, [...messages.values()])
  const made = new Map<ShownItem, Remade>()
  for (const turns of Map.groupBy(items, ({ group }) => group).values()) {
    const last = turns.flatMap(({ id = '' }) => messages.get(id) ?? []).at(-1)
    const session = last === undefined ? undefined : yield* findSessionRow(input.owner.id, last.session)
    const heading = last === undefined ? undefined : turnsHeading({ id: last.session, name: session?.name ?? null }, last.at)
    for (const item of turns) {
      const turn = messages.get(item.id ?? '')
      const forms = turn === undefined ? [] : marks.map((mark) => ({ line: turnLine(turn, mark.get(turn.id)) }))
      made.set(item, { ...remade(input, item, turn === undefined ? undefined : { forms, recordedAt: turn.recordedAt }), heading })
    }
  }
  return made
}

/** Finds the ends of states, which are derived: as they were known then, as they are known of then now, none, and the present ones. */
function* marksOf({ partition, at, now }: PastInput, messages: readonly Message[]): Program<readonly ReadonlyMap<string, Superseded>[]> {
  // Statements of that very time may differ.
  return [
    yield* supersededMessages(partition, messages, at, at),
    yield* supersededMessages(partition, messages, at),
    new Map<string, Superseded>(),
    yield* supersededMessages(partition, messages, now),
  ]
}

/** A context of an earlier version showed an echo within a message as said. */
function bareAndSaid(message: Message): readonly Message[] {
  return message.recalled === undefined ? [message] : [{ ...message, recalled: [] }, message]
}

function recentForm(message: Message, mark: Superseded | undefined): Form {
  return { line: recentCandidate({ ...message, content: turnText(message, mark) }, 0).line }
}

function detailForm(message: Message, mark: Superseded | undefined, { ranges = [] }: ShownItem): Form {
  const { content, recalled } = message
  const [parts, notes] = [pairs(ranges), endNotes(mark)]
  const text = parts.length === 0 ? saidText(content, recalled, notes) : textOfRanges(content, parts, notes)
  return { line: detailLine(message, text), heading: day(message.at) }
}

function pairs(ranges: readonly number[]): readonly Passage[] {
  return ranges.flatMap((from, at) => (at % 2 === 0 ? [{ from, to: ranges[at + 1] ?? from }] : []))
}
