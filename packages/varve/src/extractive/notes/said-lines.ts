import { pointsBack } from '../cues.ts'
import { countWords } from '../words.ts'
import { pathsNamed } from './anchors.ts'
import type { NotesLine } from './lines.ts'
import { isAsking, isDecided, isReported } from './remark-cues.ts'
import type { Remark } from './remarks.ts'
import { asCode } from './wording.ts'

/** A sentence of fewer words, without an id, a number or a file, says little by itself. */
const fewWords = 4

/** Returns the lines that a remark leaves in the notes: the remark, if it is kept, and the files that it names. */
export function saidLines(remark: Remark): NotesLine[] {
  const { seq, isPerson, text } = remark
  const files = pathsNamed(text)
  const line = (kind: NotesLine['kind'], text: string): NotesLine => ({ kind, text, from: [seq] })
  const named = files.map((path) => line('files', `- ${asCode(path)}: named${isPerson ? ' by the user' : ''}`))
  const kind = placeOf(remark, files.length > 0)
  return kind === undefined ? named : [line(kind, `- ${isPerson ? 'user' : 'assistant'}: ${text}`), ...named]
}

/**
 * Returns the line of a person's remark where no tool was used. Persons among themselves ask about each other: of their
 * words only decisions and ids are kept. Of words to an assistant, those that point back say nothing alone.
 */
export function ownWords(remark: Remark, isAmongPersons: boolean): NotesLine[] {
  const { seq, isPerson, text, anchors, kind } = remark
  const place = isPerson ? placeOf(remark, false) : undefined
  const isTelling = isAmongPersons ? !isAsking(text) && isDecided(text) : kind !== undefined || !pointsBack.test(text)
  if (place === undefined || !(isTelling || anchors > 0)) return []
  return [{ kind: place === 'errors' && !isAmongPersons ? 'errors' : 'decisions', text: `- user: ${text}`, from: [seq] }]
}

/**
 * Returns the section of a remark. An assistant's remarks about its work repeat the steps: most of those without an id,
 * a number or a file are left out.
 */
function placeOf({ isPerson, text, kind, anchors }: Remark, namesFile: boolean): NotesLine['kind'] | undefined {
  const holds = anchors > 0 || namesFile
  const isBare = !holds && (countWords(text) < fewWords || text.endsWith(':'))
  if (isBare) return undefined
  if (isPerson) return kind ?? (holds || !(isAsking(text) || isReported(text)) ? 'decisions' : undefined)
  if (kind === undefined) return holds ? 'system' : undefined
  return holds || kind === 'decisions' || kind === 'errors' || kind === 'learnings' ? kind : undefined
}
