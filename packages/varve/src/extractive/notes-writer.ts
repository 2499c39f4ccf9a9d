import type { NotedMessage, NotesBounds, SectionEntry, NotesKind, NotesPart, NotesWriter } from '../models/notes-writer.ts'
import { isOwn, entryKey, type NotesLine, mergedEntry, worthOfEntry } from './notes/lines.ts'
import { type Remark, remarksIn } from './notes/remarks.ts'
import { ownWords, saidLines } from './notes/said-lines.ts'
import { stepsIn } from './notes/steps.ts'
import { stateLines, titleOf, worklogLines } from './notes/story.ts'
import { toolLines } from './notes/tool-lines.ts'
import { asCode } from './notes/wording.ts'

/**
 * The share of the page that each section may take when all of them want more. Without the title, which is written once, they
 * add up to 1 at most.
 */
const shares: Readonly<Record<NotesKind, number>> = {
  title: 1,
  state: 0.03,
  decisions: 0.17,
  files: 0.17,
  commands: 0.09,
  errors: 0.17,
  system: 0.1,
  learnings: 0.07,
  results: 0.12,
  worklog: 0.06,
}

/** Set aside for the title, written or not, so that the other sections have the same room on every pass. */
const titleTokens = 64

/** The most lines of a section where no tool was used, and the tokens of a heading. */
const linesWithoutTools = 10
const headingTokens = 6
/** The most that notes take of the tokens of the talk. In short talk with an assistant, decisions and instructions have these tokens. */
const mostOfTalk = 0.06
const leastTokens = 60
const leastWithTools = 400
/** Without tools: the share of what was decided, where something was asked as well. */
const decidedShare = 0.6

/** Lines whose section is absent go into the first of these that the page has. */
const instead: readonly NotesKind[] = ['decisions', 'learnings', 'results', 'errors', 'system']

/**
 * Writes notes without a language model: decisions, corrections, failures, files, commands and ids, a line each, in the words of
 * the messages. A tool's words are set as code; a speaker's words follow the name of the role.
 */
export const extractiveNotesWriter: NotesWriter = {
  notes: (parts, messages, bounds) => {
    const hasTools = usesTools(parts, messages)
    const all = linesOf(messages, new Set(parts.map(({ kind }) => kind)), hasTools)
    const lines = bounds.talkTokens === undefined || hasTools ? all : withoutRepeats(all)
    const others = parts.map((part) => bounds.count(foreignIn(part)))
    const taken = parts.map(({ kind }, place) => Math.max(kind === 'title' ? titleTokens : 0, others[place] ?? 0))
    const title = parts.some(({ kind }) => kind === 'title') ? lines.find(({ kind }) => kind === 'title') : undefined
    const titled = title === undefined ? 0 : bounds.count(title.text) + headingTokens
    const room = Math.min(
      taken.reduce((left, tokens) => left - tokens, bounds.maxTokens),
      ownTokens(bounds, hasTools) - titled,
    )
    let left = Math.max(0, room)
    const overShare = Math.max(0, room + titled - (bounds.talkTokens ?? Infinity) * mostOfTalk)
    const forDecided = lines.some(({ kind }) => kind === 'worklog') ? decidedShare : 1
    const isAmongPersons = areAmongThemselves(messages)
    return parts.map((part, place) => {
      const without = isAmongPersons ? left - overShare : assistedShare(part.kind, { left, overShare, decided: room * forDecided })
      const share = hasTools ? Math.max(0, room) * shares[part.kind] : without
      const most = Math.min(bounds.sectionTokens - (others[place] ?? 0), share - (bounds.talkTokens === undefined ? 0 : headingTokens))
      const fresh = lines.filter(({ kind }) => kind === part.kind)
      const written = withLines(part, fresh, {
        tokens: part.kind === 'title' ? titleTokens : most,
        lines: hasTools ? Infinity : linesWithoutTools,
        count: bounds.count,
      })
      const words = written.entries.filter(({ text }) => part.kind !== 'title' && isOwn(part.kind, text))
      if (words.length > 0) left -= headingTokens + bounds.count(words.map(({ text }) => text).join('\n'))
      return written
    })
  },
}

/** Leaves out a line that says the title again, which may be cut, where another one tells a decision or an instruction. */
function withoutRepeats(lines: readonly NotesLine[]): readonly NotesLine[] {
  const title = lines.find(({ kind }) => kind === 'title')?.text.replace(/\s*…$/u, '')
  const further = lines.filter(({ kind, text }) => kind === 'title' || title === undefined || !text.includes(`: ${title}`))
  return further.some(({ kind }) => kind === 'decisions' || kind === 'errors') ? further : lines
}

/** Returns the tokens of a section, in talk with an assistant: decisions and instructions may take all that short talk has. */
function assistedShare(kind: NotesKind, { left, overShare, decided }: Readonly<Record<'left' | 'overShare' | 'decided', number>>): number {
  if (kind === 'decisions') return Math.min(left, Math.max(overShare, decided))
  return kind === 'errors' ? left : left - overShare
}

/** Returns the most tokens of the writer's own entries and their headings. */
function ownTokens({ talkTokens }: NotesBounds, hasTools: boolean): number {
  if (talkTokens === undefined) return Infinity
  return Math.max(hasTools ? leastWithTools : leastTokens, talkTokens * mostOfTalk)
}

/** Tells whether a tool was used, in these messages or before. */
function usesTools(parts: readonly NotesPart[], messages: readonly NotedMessage[]): boolean {
  const isTools = ({ kind, entries }: NotesPart): boolean =>
    ['commands', 'files', 'results'].includes(kind) && entries.some(({ text }) => isOwn(kind, text) && text.startsWith('- `'))
  return parts.some(isTools) || stepsIn(messages).length > 0
}

interface Most {
  readonly tokens: number
  readonly lines: number
  readonly count: (text: string) => number
}

/** Returns the entries of others in a section. */
function foreignIn({ kind, entries }: NotesPart): string {
  const foreign = entries.filter(({ text }) => !isOwn(kind, text))
  return foreign.map(({ text }) => text).join('\n')
}

/** Returns all lines that the messages leave in the notes, each with its section; the oldest first. */
function linesOf(messages: readonly NotedMessage[], kinds: ReadonlySet<NotesKind>, hasTools: boolean): NotesLine[] {
  const read = messages.filter(({ origin, role }) => origin !== 'system' && role !== 'system')
  const said = read.map((message) => ({ seq: message.seq, ...remarksIn(message) }))
  const remarks: Remark[] = said.flatMap(({ remarks }) => remarks)
  const noted = (line: string, seq: number): NotesLine => ({ kind: 'errors', text: `- ${asCode('pasted')}: ${asCode(line)}`, from: [seq] })
  const pasted = said.flatMap(({ seq, pasted }) => pasted.map((line) => noted(line, seq)))
  const own = withoutTools(remarks, pasted, areAmongThemselves(read))
  const lines = hasTools
    ? [...remarks.flatMap(saidLines), ...pasted, ...stepsIn(read).flatMap(toolLines)]
    : own.filter(({ kind }) => kind !== 'title' && kind !== 'worklog')
  const inOrder = lines.toSorted((a, b) => (a.from[0] ?? 0) - (b.from[0] ?? 0))
  const other = instead.find((kind) => kinds.has(kind))
  const placed = inOrder.flatMap((line) => (kinds.has(line.kind) ? line : other === undefined ? [] : { ...line, kind: other }))
  const all = hasTools
    ? [...titleOf(remarks, false), ...stateLines(remarks), ...withoutShortNames(placed), ...worklogLines(remarks)]
    : [...own.filter(({ kind }) => kind === 'title' || kind === 'worklog'), ...placed]
  return all.filter(({ kind }) => kinds.has(kind))
}

/** Returns the title, what was asked, and the other words of persons that decide, instruct or tell. */
function withoutTools(remarks: readonly Remark[], pasted: readonly NotesLine[], isAmongPersons: boolean): NotesLine[] {
  const asked = isAmongPersons ? [] : [...pasted, ...worklogLines(remarks)]
  return [...titleOf(remarks, isAmongPersons), ...remarks.flatMap((remark) => ownWords(remark, isAmongPersons)), ...asked]
}

/** Tells whether two persons or more talk, and no assistant. */
function areAmongThemselves(messages: readonly NotedMessage[]): boolean {
  const said = messages.filter(({ origin }) => origin === 'person' || origin === 'assistant')
  return said.every(({ origin }) => origin === 'person') && new Set(said.map(({ name }) => name)).size > 1
}

interface Held {
  readonly entry: SectionEntry
  readonly key: string
  readonly isOwn: boolean
}

/** Returns a section with new lines in it. A line that is told again moves to the end. Of the writer's own lines the best are kept. */
function withLines({ kind, entries }: NotesPart, lines: readonly NotesLine[], most: Most): NotesPart {
  const old = entries.map((entry): Held => ({ entry, key: entryKey(kind, entry.text), isOwn: isOwn(kind, entry.text) }))
  if (kind === 'title' && old.length > 0) return { kind, entries }
  const stand = new Map(old.map((held) => [held.key, held]))
  const foreign = foreignIn({ kind, entries })
  const fresh = new Map<string, SectionEntry>()
  for (const line of lines) {
    const [key, text] = [entryKey(kind, line.text), line.text]
    if (stand.get(key)?.isOwn === false || (kind === 'files' && foreign.includes(key))) continue
    const before = fresh.get(key) ?? stand.get(key)?.entry
    fresh.delete(key)
    const from = [...new Set([...(before?.from ?? []), ...line.from])].toSorted((a, b) => a - b)
    fresh.set(key, { text: before === undefined ? text : mergedEntry(kind, before.text, text), from })
  }
  const added = Array.from(fresh, ([key, entry]): Held => ({ entry, key, isOwn: kind !== 'title' }))
  const all = [...old.filter(({ key }) => !fresh.has(key)), ...added]
  return { kind, entries: within(kind, all, most).map((entry) => unchanged(entry, stand, kind)) }
}

/** Keeps the old entry where the new one has the same words: it was not written anew. */
function unchanged(entry: SectionEntry, stand: ReadonlyMap<string, Held>, kind: NotesKind): SectionEntry {
  const before = entry.from === undefined ? undefined : stand.get(entryKey(kind, entry.text))?.entry
  return before !== undefined && before.text.trim() === entry.text ? before : entry
}

/** Returns the entries that fit. Those of others stay; of the writer's own, the best stay, the newer first. */
function within(kind: NotesKind, all: readonly Held[], { tokens: most, lines, count }: Most): SectionEntry[] {
  const tokens = new Map(all.map((held) => [held, held.isOwn ? count(`${held.entry.text}\n`) : 0]))
  const owned = all.filter(({ isOwn: own }) => own).length
  if (owned <= lines && [...tokens.values()].reduce((sum, each) => sum + each, 0) <= most) return all.map(({ entry }) => entry)
  const rated = all.toReversed().flatMap((held) => (held.isOwn ? { held, worth: worthOfEntry(kind, held.entry.text.trim()) } : []))
  const ranked = rated.toSorted((a, b) => b.worth - a.worth)
  const kept = new Set<Held>()
  let left = most
  for (const { held } of ranked) {
    const needed = tokens.get(held) ?? 0
    if (needed > left || kept.size >= lines) continue
    left -= needed
    kept.add(held)
  }
  return all.filter((held) => !held.isOwn || kept.has(held)).map(({ entry }) => entry)
}

/** Leaves out a file that is only named by the end of its path where the whole path stands as well. */
function withoutShortNames(lines: readonly NotesLine[]): NotesLine[] {
  const ends = new Set(lines.flatMap(({ kind, text }) => (kind === 'files' ? endsOf(entryKey(kind, text)) : [])))
  const isEnd = ({ kind, text }: NotesLine): boolean => ends.has(entryKey(kind, text).replace(/^\.\//u, ''))
  return lines.filter((line) => line.kind !== 'files' || !line.text.endsWith(': named') || !isEnd(line))
}

function endsOf(path: string): string[] {
  const pieces = path.split('/')
  return pieces.slice(1).map((_, place) => pieces.slice(place + 1).join('/'))
}
