import type { NotesKind } from '../../models/notes-writer.ts'
import { idsIn, pathsNamed, strongAnchors, weakAnchors } from './anchors.ts'
import { errorKey, errorScore } from './error-lines.ts'
import { isCorrection, isDecision, isAsking } from './remark-cues.ts'
import { sameAs } from './wording.ts'
import { regex } from '../word-lists.ts'

/** A line of the notes: a new one, or one that this writer wrote before. */
export interface NotesLine {
  readonly kind: NotesKind
  readonly text: string
  readonly from: readonly number[]
}

// The forms in which this writer writes. A line in another form is a person's or a model's, and stays.
const fileForm = '(?:written|edited|named by the user|named)(?:, (?:edited|named by the user|named))*'
const code = '(?:`[^`]+`|(`{2,}) .+ \\1)'
const said = new RegExp(`^- (?:user|assistant): |^- ${code}(?:: (?:failed|${fileForm}|\`[^\`]+\`|(\`{2,}) .+ \\2))?$`, 'u')
const forms: Readonly<Partial<Record<NotesKind, RegExp>>> = { title: /^$/u, state: /^- (?:Asked|Doing|Next): /u, worklog: /^- Asked: / }

/** The notes about a file, in this order. */
const doings = ['written', 'edited', 'named by the user', 'named']

/** Tells whether an entry has the form of this writer's own. */
export function isOwn(kind: NotesKind, entry: string): boolean {
  const text = entry.trim()
  return !text.includes('\n') && (forms[kind] ?? said).test(text)
}

/** Merges two entries about the same thing: the newer one stays. For a file it keeps the older one's notes as well. */
export function mergedEntry(kind: NotesKind, old: string, newer: string): string {
  if (kind !== 'files') return newer
  const [name = newer, told = ''] = newer.split(/(?<=`): (?!.*`)/u)
  const before = old.trim().split(/(?<=`): (?!.*`)/u)[1] ?? ''
  const all = [...told.split(', '), ...before.split(', ')]
  // `named` says nothing new of a file that was worked on. An entry without a word means that the file was read.
  const isWorkedOn = told === '' || (before === '' && old !== '') || all.includes('edited') || all.includes('written')
  const done = doings.filter((doing) => all.includes(doing) && !(doing === 'named' && (isWorkedOn || all.includes('named by the user'))))
  return done.length === 0 ? name : `${name}: ${done.join(', ')}`
}

/** Returns the key by which entries count as the same: the file, the command, the error, or the words. One entry a key is kept. */
export function entryKey(kind: NotesKind, entry: string): string {
  const text = entry.trim()
  if (kind === 'files' || kind === 'commands') return firstCode(text) ?? sameAs(text)
  if (kind === 'state') return /^- (?:Asked|Doing|Next):/u.exec(text)?.[0] ?? sameAs(text)
  if (kind === 'errors' && text.startsWith('- `')) return errorKey(text.slice(text.indexOf(': ') + 2))
  return sameAs(text.replace(/^- (?:(?:user|assistant|Asked): )?/u, ''))
}

/** Returns the code with which an entry begins. */
function firstCode(entry: string): string | undefined {
  return /^- (`+) ?(.+?) ?\1(?!`)/u.exec(entry)?.[2]
}

const trivial = regex('u')`^(?:cd|ls|ll|cat|pwd|echo|grep|rg|find|head|tail|sed -n|wc|which|tree|sleep|git (?:status|diff|log|show|
  branch)|stat|file|true|clear|whoami|date|env|mkdir|touch|sort|awk|less)\b(?!.*(?:&&|;|\|\|)\s*(?!cd|ls|cat|echo|grep|head|tail|wc|
  git (?:status|diff|log))\S)`

/** Rates an entry of this writer's against others of its section. It goes by the text alone, so that every pass agrees. */
export function worthOfEntry(kind: NotesKind, entry: string): number {
  const isWorkedOn = /: (?:.*\b(?:edited|written))/u.test(entry)
  if (kind === 'files')
    return (isWorkedOn ? 3 : 0) + (entry.includes('named by the user') ? 2.5 : 0) + (/: .*\bnamed$/u.test(entry) ? 0 : 1)
  if (kind === 'commands') return (trivial.test(firstCode(entry) ?? '') ? 0 : 2) + (/: failed/u.test(entry) ? 0.5 : 0)
  if (kind === 'worklog' || kind === 'state' || kind === 'title') return 1
  const isPersons = entry.startsWith('- user: ')
  const isTools = entry.startsWith('- `')
  const strong = strongAnchors(entry).length + idsIn(entry).length
  const anchors = Math.min(3, strong + pathsNamed(entry).length / 2 + weakAnchors(entry).length / 4)
  const cue = (kind === 'decisions' && isDecision(entry)) || (kind === 'errors' && isCorrection(entry)) ? 1.5 : 0
  const asked = isAsking(entry.replace(/^- \w+: /u, '')) ? 2 : 0
  // A person's sentence without a cue may be about anything.
  const plain = isPersons && cue === 0 && anchors === 0 ? 1.5 : 0
  return (isPersons ? 4 : isTools ? toolWorth(kind, entry) : 2) + anchors * 0.7 + cue - asked - plain
}

function toolWorth(kind: NotesKind, entry: string): number {
  return kind === 'errors' ? 1.5 + errorScore(entry.slice(entry.indexOf(': ') + 2)) / 2 : 1.5
}
