import { is, type Said, sure, weak } from '../../facts/said.ts'
import { attributeOf, endsOf, firstWord, hasValue, objectOf, state } from './parts.ts'
import { noNoun } from './words.ts'

/** A frame of English that states something. */
export interface Frame {
  /**
   * Has the group `value`. It may have `what` (the attribute), `old` (a value that ended) and `kin` (the subject, if it is not
   * the speaker).
   */
  readonly pattern: RegExp
  /** May name groups: `likes {what}`. Undefined: the attribute is the predicate. */
  readonly predicate: string | undefined
  readonly more: Partial<Said>
  /** True when the value needs a number, a name or a known thing. */
  readonly isValued: boolean
}

const row = /^(?<predicate>[^:[]+?)(?: \[(?<marks>[^\]]+)\])?: (?<pattern>.+)$/su

/**
 * Reads a table of frames, one a line: a predicate, its marks in brackets, a colon, the pattern. A line that begins with two
 * blanks goes on with the one before.
 */
export function framesOf({ raw }: TemplateStringsArray, ...parts: readonly string[]): readonly Frame[] {
  const lines = String.raw({ raw }, ...parts)
    .trim()
    .split(/\n(?! )/u)
  return lines.map((line) => {
    const { predicate = '', marks = '', pattern = '' } = row.exec(line)?.groups ?? {}
    return {
      pattern: new RegExp(pattern.replaceAll(/\n {2}/gu, ''), marks.includes('cased') ? 'u' : 'iu'),
      predicate: predicate === 'attribute' ? undefined : predicate,
      more: { tense: marks.includes('past') ? 'past' : 'present', confidence: marks.includes('weak') ? weak : sure },
      isValued: marks.includes('valued'),
    }
  })
}

/** Reads a clause by the first frame that fits. */
export function firstOf(frames: readonly Frame[], text: string): Said[] {
  for (const frame of frames) {
    const groups = frame.pattern.exec(text)?.groups
    const found = groups === undefined ? [] : saidIn(frame, groups)
    if (found.length > 0) return found
  }
  return []
}

function saidIn({ predicate, more, isValued }: Frame, groups: Readonly<Record<string, string | undefined>>): Said[] {
  const { value, what, old, kin } = groups
  const object = objectOf(value)
  if (
    object === undefined ||
    (noNoun.has(firstWord(object).toLowerCase()) && !/^one \p{L}/iu.test(object)) ||
    (isValued && !hasValue(object))
  )
    return []
  const all = { ...more, ...(kin === undefined ? {} : { subject: `my ${kin.toLowerCase().replace(/^(?:my|our) /u, '')}` }) }
  const told = predicate === undefined ? state(what, value, all) : is(filled(predicate, groups), object, all)
  return told.length > 0 && more.tense === 'past' ? [...told, ...endsOf(old)] : told
}

function filled(predicate: string, groups: Readonly<Record<string, string | undefined>>): string {
  return predicate.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const words = (groups[name] ?? '').toLowerCase()
    return predicate === '{what}' || name === 'at' ? words : (attributeOf(words) ?? words)
  })
}
