import type { NotesKind } from '../models/notes-writer.ts'

/** The words in a heading by which a section's kind is told; the first that fits counts. */
const words: readonly (readonly [NotesKind, RegExp])[] = [
  ['errors', /\b(?:errors?|corrections?|failures?|mistakes?|fehler\w*|korrekturen?)\b/i],
  ['worklog', /\b(?:work ?log|log|journal|history|verlauf|protokoll)\b/i],
  ['files', /\b(?:files?|functions?|paths?|dateien)\b/i],
  ['commands', /\b(?:commands?|workflows?|scripts?|befehle)\b/i],
  ['decisions', /\b(?:decisions?|decided|tasks?|requirements?|entscheidungen|aufgaben?)\b/i],
  ['state', /\b(?:state|status|next|stand)\b/i],
  ['system', /\b(?:system|documentation|architecture|codebase)\b/i],
  ['learnings', /\b(?:learnings?|learned|lessons?|insights?)\b/i],
  ['results', /\b(?:results?|outcomes?|findings?|ergebnisse?)\b/i],
  ['title', /\b(?:title|subject|titel)\b/i],
]

/**
 * The order in which sections are cut: first those that can be written anew, last those that keep mistakes from
 * happening twice.
 */
const cutOrder: readonly (NotesKind | undefined)[] = [
  'worklog',
  'system',
  'learnings',
  'commands',
  'results',
  'files',
  'state',
  'decisions',
  undefined,
  'title',
  'errors',
]

/** Gives the kind of a section; undefined when its heading tells none. */
export function kindOf(heading: string): NotesKind | undefined {
  return words.find(([, pattern]) => pattern.test(heading))?.[0]
}

/** Gives a section's place in the order in which sections are cut, from 0. */
export function cutPlace(heading: string): number {
  return cutOrder.indexOf(kindOf(heading))
}
