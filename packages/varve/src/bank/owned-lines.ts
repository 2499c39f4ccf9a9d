import { itemsAt, type NamedItem, homeOfItem } from '../storage/derived/items.ts'
import { answersAt, membersUnder, namesAt } from '../storage/derived/members.ts'
import { sentencesOf } from '../storage/derived/parts.ts'
import type { Program } from '../storage/program.ts'
import { anonymousMember, labelOf } from './member-label.ts'

/** A line of a shared bank, and whose words it rests on. */
export interface OwnedLine {
  readonly text: string
  /** User keys, `~` for the anonymous user. */
  readonly members: readonly string[]
  /** True for a line that a person wrote in the entry's place, or kept there. */
  readonly isByHand?: true
  /** `all`: the line rests on an assistant's answer. `some`: on entries of which some lines do. Absent: on persons' words. */
  readonly answers?: 'all' | 'some'
  /** The names that a caller gave to the speakers of these words. */
  readonly names: readonly string[]
}

/**
 * Reads whose words each line of a shared bank's entry rests on. The owner is the partition that the words came from,
 * never a name in the text: that name is the caller's claim.
 */
export function* ownedLines(item: NamedItem): Program<readonly OwnedLine[]> {
  const byHand = new Set(item.hand?.split('\n') ?? [])
  const lines = sentencesOf(item)
  const names =
    item.member === null
      ? new Map<number, string>()
      : yield* namesAt(
          item.partition_id,
          homeOfItem(item),
          item.session_id,
          lines.flatMap(({ from }) => from),
        )
  const answers =
    item.member === null
      ? new Set<number>()
      : yield* answersAt(
          homeOfItem(item),
          item.session_id,
          lines.flatMap(({ from }) => from),
        )
  const owned: OwnedLine[] = []
  for (const { text, from } of lines) {
    if (byHand.has(text)) owned.push({ text, members: yield* membersOf(item), names: [], isByHand: true })
    else if (item.member === null) owned.push(yield* digestLine(item, text, from))
    else {
      // A line is as little a person's as the least of its messages.
      const isAnswer = from.some((seq) => answers.has(seq))
      const spoken = unique(from.flatMap((seq) => names.get(seq) ?? []))
      owned.push({ text, members: [keyOf(item.member)], names: spoken, ...(isAnswer ? { answers: 'all' as const } : {}) })
    }
  }
  return owned
}

/** A digest's line rests on its children. Where a child has the same line, that line alone counts. */
function* digestLine(digest: NamedItem, text: string, from: readonly number[]): Program<OwnedLine> {
  const children = yield* itemsAt(digest.partition_id, from)
  // A child that was written anew has another ordinal: then any member of the period may have said it.
  if (from.length === 0 || children.length < from.length)
    return { text, members: (yield* membersUnder(digest.partition_id, digest.period)).map(keyOf), names: [] }
  const members: string[] = []
  const names: string[] = []
  const answered = new Set<OwnedLine['answers']>()
  for (const child of children) {
    const lines = yield* ownedLines(child)
    const own = lines.find((line) => line.text === text)
    answered.add(own === undefined ? (lines.some(({ answers }) => answers !== undefined) ? 'some' : undefined) : own.answers)
    if (own !== undefined) {
      members.push(...own.members)
      names.push(...own.names)
    } else if (child.member !== null) members.push(keyOf(child.member))
    else members.push(...(yield* membersUnder(child.partition_id, child.period)).map(keyOf))
  }
  const answers = answered.size > 1 ? 'some' : [...answered][0]
  return { text, members: unique(members), names: unique(names), ...(answers === undefined ? {} : { answers }) }
}

/** Reads whose words an entry rests on: user keys in order, `~` for the anonymous user. */
export function* membersOf(item: NamedItem): Program<readonly string[]> {
  return item.member === null ? (yield* membersUnder(item.partition_id, item.period)).map(keyOf) : [keyOf(item.member)]
}

/**
 * Gives the line as it is shown: after the members whose words it rests on. A speaker's name before it, as the
 * extractive writer puts it, is left out: the members stand there.
 */
export function shownLine({ text, members, names, isByHand, answers }: OwnedLine): string {
  const whose = members.length === 0 ? 'a member' : labelOf(members, names)
  const who = answers === 'all' ? `assistant for ${whose}` : answers === 'some' ? `${whose} or their assistant` : whose
  if (isByHand === true) return `${who}, corrected: ${text}`
  const [, speaker = '', said = ''] = /^([^:]{1,80}): (.+)$/su.exec(text) ?? []
  return `${who}: ${[...names, 'the user', 'the assistant'].some((name) => isSame(name, speaker)) ? said : text}`
}

/** The letters of a name that the writer cut: 40 characters, some of them blanks. */
const leastCut = 24

/** Tells whether a speaker is a name as the writer puts it: in one line, without some signs, and cut. */
function isSame(name: string, speaker: string): boolean {
  const [given, written] = [lettersOf(name), lettersOf(speaker)]
  return written !== '' && (given === written || (written.length >= leastCut && given.startsWith(written)))
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function keyOf(owner: string): string {
  return owner === '' ? anonymousMember : owner
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}
