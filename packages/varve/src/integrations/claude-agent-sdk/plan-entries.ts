import { randomUUID } from 'node:crypto'
import { hash } from '../../importers/text.ts'
import { idThatGoesWith } from '../../messages/goes-with.ts'
import type { MessageInput } from '../../messages/message.ts'
import { carriedBytes, carriedPart, maxCarriedBytes, piecesOf } from './carried-entries.ts'
import type { EntryTalk } from './talk-reader.ts'
import type { GivenEntry } from './repeated-words.ts'
import type { TranscriptKey } from './transcript-key.ts'

/** An entry to store, with what it says. */
export interface NewEntry extends GivenEntry {
  readonly talk: EntryTalk
  /** The id of the line whose words it repeats. */
  readonly repeats: string | undefined
}

/** A message to append, and the entries that it carries. */
export interface PlannedMessage {
  message: MessageInput
  carries: readonly NewEntry[]
  /** The messages of a row's entry, which another stored without it. */
  readonly of?: readonly string[]
}

/** Messages of the transcript's session, and those that belong to another: a fork's talk is that of the session before it. */
export interface EntryPlan {
  readonly messages: readonly PlannedMessage[]
  readonly elsewhere: ReadonlyMap<string, readonly MessageInput[]>
}

/**
 * Plans how entries are stored. A message carries its entry, and those without words that came before it: whoever forgets
 * the message forgets them. What is left gets rows of its own. A row of a message that was stored before names that message.
 */
export function planEntries(key: TranscriptKey, entries: readonly NewEntry[], ids: ReadonlySet<string>): EntryPlan {
  const messages: PlannedMessage[] = []
  const elsewhere = new Map<string, MessageInput[]>()
  let waiting: NewEntry[] = []
  let last: PlannedMessage | undefined
  const known = new Set([...ids, ...entries.flatMap((one) => saidIn(key, one))])
  const flush = (): void => {
    messages.push(...rowsOf(key, waiting))
    waiting = []
  }
  for (const [at, one] of entries.entries()) {
    const isLarge = sizeOf([one]) > maxCarriedBytes
    const of = namesOf(key, one, known)
    const next = one.repeats === undefined ? undefined : entries.find(({ talk }, place) => place > at && talk.messages.length > 0)
    // What it repeats comes next, and carries it.
    const isAhead = next !== undefined && of.some((id) => saidIn(key, next).includes(id))
    // A message carries its own words alone: a line with several goes when any of them goes.
    const isAlone = isLarge || of.length > 1 || isStored(key, one, ids) || (one.repeats !== undefined && of.length > 0 && !isAhead)
    if (isLarge || sizeOf([...waiting, one]) > maxCarriedBytes) flush()
    if (!isAlone) waiting.push(one)
    const own: PlannedMessage[] = []
    for (const { session, message } of one.talk.messages) {
      if (session !== key.sessionId) elsewhere.set(session, [...(elsewhere.get(session) ?? []), message])
      else if (message.id === undefined || !ids.has(message.id)) own.push({ message, carries: [] })
    }
    const [carrier] = own
    messages.push(...own)
    // Behind its messages: a row whose message is not there counts as forgotten.
    if (isAlone) {
      messages.push(...rowOfStored(key, one, waiting, of))
      waiting = []
    }
    if (carrier === undefined || isAlone) continue
    carrier.carries = waiting
    waiting = []
    last = carrier
  }
  // What comes after the last message goes with it, if nothing stands between them.
  if (last !== undefined && last === messages.at(-1) && sizeOf([...last.carries, ...waiting]) <= maxCarriedBytes) {
    last.carries = [...last.carries, ...waiting]
    waiting = []
  }
  flush()
  return { messages: messages.map((planned) => carrying(key, planned)), elsewhere }
}

/** Tells whether all that an entry says was stored by another. */
function isStored(key: TranscriptKey, entry: NewEntry, ids: ReadonlySet<string>): boolean {
  const said = saidIn(key, entry)
  return said.length > 0 && said.every((id) => ids.has(id))
}

function saidIn({ sessionId }: TranscriptKey, { talk }: NewEntry): readonly string[] {
  return talk.messages.flatMap(({ session, message }) => (session === sessionId && message.id !== undefined ? [message.id] : []))
}

/** Gives the messages that hold the words of an entry: its own, or that of the line that it repeats. */
function namesOf(key: TranscriptKey, entry: NewEntry, known: ReadonlySet<string>): readonly string[] {
  const said = saidIn(key, entry)
  const { repeats } = entry
  return said.length > 0 || repeats === undefined || !known.has(repeats) ? said : [repeats]
}

/** Makes a row for each entry, with the messages that hold its words: who forgets one of them forgets the entry. */
export function rowsOfStored(key: TranscriptKey, entries: readonly NewEntry[], ids: ReadonlySet<string>): readonly PlannedMessage[] {
  return entries.flatMap((entry) => rowOfStored(key, entry, [], namesOf(key, entry, ids)))
}

/** Makes a row of an entry, and of those without words that came before it. */
function rowOfStored(key: TranscriptKey, entry: NewEntry, before: readonly NewEntry[], of: readonly string[]): readonly PlannedMessage[] {
  if (sizeOf([entry]) > maxCarriedBytes) return pieceRows(key, entry, of)
  return [carrying(key, { message: rowOf(key, [entry], of), carries: [...before, entry], of })]
}

/** Makes rows that carry entries and say nothing: text of the system is neither searched nor distilled. */
function rowsOf(key: TranscriptKey, entries: readonly NewEntry[]): readonly PlannedMessage[] {
  return entries.length === 0 ? [] : [carrying(key, { message: rowOf(key, entries), carries: entries })]
}

function pieceRows(key: TranscriptKey, entry: NewEntry, of: readonly string[]): readonly PlannedMessage[] {
  const { id, ...row } = rowOf(key, [entry], of)
  return piecesOf(key, entry.json, of.length === 0 ? {} : { of }).map((part, at, { length }) => ({
    message: { ...row, ...(id === undefined ? {} : { id: `${id}#${at + 1}` }), parts: [part] },
    // With its last piece an entry is there.
    carries: at === length - 1 ? [entry] : [],
  }))
}

function rowOf(key: TranscriptKey, entries: readonly NewEntry[], of: readonly string[] = []): MessageInput {
  const { projectKey, subpath = '' } = key
  const [first] = entries
  const uuid = first?.entry.uuid
  const at = first?.talk.at
  const own = uuid === undefined ? undefined : `transcript-${hash(projectKey, subpath, uuid)}`
  // Whoever erases one of the messages erases the row: the store knows it by this id. A row of too many goes at the next load.
  const id = of.length === 0 ? own : (idThatGoesWith(of, own ?? randomUUID()) ?? own)
  return {
    role: 'system',
    content: 'Lines of a transcript of Claude Code.',
    ...(id === undefined ? {} : { id }),
    ...(at === undefined ? {} : { at }),
  }
}

function carrying(key: TranscriptKey, { message, carries, of = [] }: PlannedMessage): PlannedMessage {
  if (carries.length === 0 || (message.role === 'system' && message.parts !== undefined)) return { message, carries }
  const part = carriedPart(
    key,
    carries.map(({ json }) => json),
    of.length === 0 ? {} : { of },
  )
  const { content = '', parts } = message
  // Where there are parts, they are read in the place of the content: so the words are among them.
  const words = message.role === 'system' ? [] : [{ type: 'text', text: content }]
  return { message: { ...message, parts: [...(parts ?? words), part] }, carries }
}

function sizeOf(entries: readonly NewEntry[]): number {
  return entries.reduce((bytes, { json }) => bytes + carriedBytes(json), 0)
}
