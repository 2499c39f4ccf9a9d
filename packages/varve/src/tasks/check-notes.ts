import { type EditedNotes, editNotes, type RefusedCall } from '../notes/edit.ts'
import type { NotesSettings } from '../notes/settings.ts'
import { isTaskRemark } from './cleaned-item.ts'
import { speaksToReader } from './speaks-to-reader.ts'

/** The result of an answer: the page after the valid calls, with the refused ones; or the problem that there were no calls. */
export type CheckedNotes = EditedNotes | { readonly problem: typeof noCalls }

const noCalls = 'it held no list "calls"'

/** Code in backticks: it is data, whatever it says. */
const code = /(`+)[^`][\s\S]*?\1|^\s*(?:```|~~~)[\s\S]*?^\s*(?:```|~~~)\s*$/gm

/**
 * Applies a model's answer to `notesPrompt` or `condensePrompt` to a page. It refuses, with a reason, a call that is no
 * edit of a section of this page, or of a section that was asked for. It also refuses a call that breaks the page, and
 * text that speaks to the reader of the notes. An empty list is an answer.
 */
export function checkNotes(
  object: Readonly<Record<string, unknown>>,
  page: string,
  settings: Pick<NotesSettings, 'template'>,
  only?: readonly string[],
): CheckedNotes {
  const { calls } = object
  if (!Array.isArray(calls)) return { problem: noCalls }
  const reasons = calls.map((call) => reasonAgainst(call, only))
  const places = reasons.flatMap((reason, at) => (reason === undefined ? [at] : []))
  const edited = editNotes(
    page,
    places.map((at): unknown => calls[at]),
    settings,
  )
  const before = reasons.flatMap((reason, at): RefusedCall[] => (reason === undefined ? [] : [{ place: at + 1, reason }]))
  const after = edited.refused.map(({ place, reason }) => ({ place: (places[place - 1] ?? place - 1) + 1, reason }))
  return { ...edited, refused: [...before, ...after].toSorted((a, b) => a.place - b.place) }
}

function reasonAgainst(call: unknown, only: readonly string[] | undefined): string | undefined {
  if (call === null || typeof call !== 'object' || !('text' in call) || typeof call.text !== 'string') return undefined
  const section = 'section' in call && typeof call.section === 'string' ? call.section : ''
  if (only !== undefined && !only.includes(section)) return `only these sections are to be made shorter: ${only.join('; ')}`
  if (isTaskRemark(call.text.trimStart())) return 'its text speaks of the task: give the text of the section alone'
  const steering = call.text
    .replaceAll(code, '…')
    .split('\n')
    .some((line) => speaksToReader(line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')))
  return steering ? 'a line of its text gives orders to whoever reads it: notes tell what was said and done' : undefined
}
