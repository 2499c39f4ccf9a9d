import type { NotesKind } from '../models/notes-writer.ts'

/** By what words a heading shows what its section is for; the first that fits. */
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

/** Sections by the order in which they are cut: what can be told anew first, and what must not happen twice last. */
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

/** What a section is for; undefined for one that its heading tells nothing of. */
export function kindOf(heading: string): NotesKind | undefined {
  return words.find(([, pattern]) => pattern.test(heading))?.[0]
}

/** A section's place in the order in which sections are cut, from 0. */
export function cutPlace(heading: string): number {
  return cutOrder.indexOf(kindOf(heading))
}
