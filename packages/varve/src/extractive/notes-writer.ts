import type { NotedMessage, SectionEntry, NotesKind, NotesPart, NotesWriter } from '../models/notes-writer.ts'
import { isOwn, entryKey, type NotesLine, mergedEntry, worthOfEntry } from './notes/lines.ts'
import { type Remark, remarksIn } from './notes/remarks.ts'
import { saidLines } from './notes/said-lines.ts'
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

/** Lines whose section is absent go into the first of these that the page has. */
const instead: readonly NotesKind[] = ['decisions', 'learnings', 'results', 'errors', 'system']

/**
 * Writes notes without a language model: decisions, corrections, failures, files, commands and ids, a line each, in the words of
 * the messages. A tool's words are set as code; a speaker's words follow the name of the role.
 */
export const extractiveNotesWriter: NotesWriter = {
  notes: (parts, messages, bounds) => {
    const lines = linesOf(messages, new Set(parts.map(({ kind }) => kind)))
    const others = parts.map((part) => bounds.count(foreignIn(part)))
    const taken = parts.map(({ kind }, place) => Math.max(kind === 'title' ? titleTokens : 0, others[place] ?? 0))
    const room = taken.reduce((left, tokens) => left - tokens, bounds.maxTokens)
    return parts.map((part, place) => {
      const share = Math.max(0, room) * shares[part.kind]
      const most = part.kind === 'title' ? titleTokens : Math.min(bounds.sectionTokens - (others[place] ?? 0), share)
      const own = lines.filter(({ kind }) => kind === part.kind)
      return withLines(part, own, most, bounds.count)
    })
  },
}

/** Returns the entries of others in a section. */
function foreignIn({ kind, entries }: NotesPart): string {
  const foreign = entries.filter(({ text }) => !isOwn(kind, text))
  return foreign.map(({ text }) => text).join('\n')
}

/** Returns all lines that the messages leave in the notes, each with its section; the oldest first. */
function linesOf(messages: readonly NotedMessage[], kinds: ReadonlySet<NotesKind>): NotesLine[] {
  const read = messages.filter(({ origin, role }) => origin !== 'system' && role !== 'system')
  const said = read.map((message) => ({ seq: message.seq, ...remarksIn(message) }))
  const remarks: Remark[] = said.flatMap(({ remarks }) => remarks)
  const noted = (line: string, seq: number): NotesLine => ({ kind: 'errors', text: `- ${asCode('pasted')}: ${asCode(line)}`, from: [seq] })
  const pasted = said.flatMap(({ seq, pasted }) => pasted.map((line) => noted(line, seq)))
  const lines = [...remarks.flatMap(saidLines), ...pasted, ...stepsIn(read).flatMap(toolLines)]
  const inOrder = lines.toSorted((a, b) => (a.from[0] ?? 0) - (b.from[0] ?? 0))
  const other = instead.find((kind) => kinds.has(kind))
  const placed = inOrder.flatMap((line) => (kinds.has(line.kind) ? line : other === undefined ? [] : { ...line, kind: other }))
  const all = [...titleOf(remarks), ...stateLines(remarks), ...withoutShortNames(placed), ...worklogLines(remarks)]
  return all.filter(({ kind }) => kinds.has(kind))
}

interface Held {
  readonly entry: SectionEntry
  readonly key: string
  readonly isOwn: boolean
}

/** Returns a section with new lines in it. A line that is told again moves to the end. Of the writer's own lines the best are kept. */
function withLines({ kind, entries }: NotesPart, lines: readonly NotesLine[], most: number, count: (text: string) => number): NotesPart {
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
  return { kind, entries: within(kind, all, most, count).map((entry) => unchanged(entry, stand, kind)) }
}

/** Keeps the old entry where the new one has the same words: it was not written anew. */
function unchanged(entry: SectionEntry, stand: ReadonlyMap<string, Held>, kind: NotesKind): SectionEntry {
  const before = entry.from === undefined ? undefined : stand.get(entryKey(kind, entry.text))?.entry
  return before !== undefined && before.text.trim() === entry.text ? before : entry
}

/** Returns the entries that fit. Those of others stay; of the writer's own, the best stay, the newer first. */
function within(kind: NotesKind, all: readonly Held[], most: number, count: (text: string) => number): SectionEntry[] {
  const tokens = new Map(all.map((held) => [held, held.isOwn ? count(`${held.entry.text}\n`) : 0]))
  if ([...tokens.values()].reduce((sum, each) => sum + each, 0) <= most) return all.map(({ entry }) => entry)
  const rated = all.toReversed().flatMap((held) => (held.isOwn ? { held, worth: worthOfEntry(kind, held.entry.text.trim()) } : []))
  const ranked = rated.toSorted((a, b) => b.worth - a.worth)
  const kept = new Set<Held>()
  let left = most
  for (const { held } of ranked) {
    const needed = tokens.get(held) ?? 0
    if (needed > left) continue
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
