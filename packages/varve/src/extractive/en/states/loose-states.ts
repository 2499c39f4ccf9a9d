import { loose, type Said, weak } from '../../facts/said.ts'
import { regex } from '../../word-lists.ts'
import { awayAfter, awayBefore, cues, measures, others } from './attributes.ts'
import { attributeKey } from './taken-state.ts'
import { asking, fillers, leads, noNoun, stativeVerbs, unsettled } from './words.ts'
import { type Value, valuesIn } from './values.ts'

const lead = new RegExp(`^(?:${leads}[,:!]* )+`, 'iu')
/** Longer sentences tell a story rather than a state: their values are read only where a frame reads them. In UTF-16 code units. */
export const longestLoose = 160
const [leastClause, mostClause] = [8, 140]
/** The most words that name what a value is of. */
const mostWords = 6
const denied = /n't\b|\b(?:never|neither|nor|not|fan of)\b/iu
/** Clauses of the past that tell no state. */
const past = regex(
  'iu',
)`\b(?:was|were|had|did|went|won|met|saw|came|made|tried|got back|yesterday|last (?:night|time|year)|ago|remember when|
  once|back then|earlier)\b`
/** Parts of a sentence that tell nothing by themselves. */
const part = regex('iu')`^(?:\p{L}+ly|like|such as|including|with|without|by|to|of|for|at|about|than|where|how|what|that|as|\p{L}+ing|even|
  perhaps|yeah|wow|cool|thanks|thank|congrats|good|great|nice|sounds|just|can't|let|look|hey|because|sometimes|some)\b`
/** Things that were done once: `I recently attended a conference in …`. */
const event = regex(
  'iu',
)`^(?:(?:i|we)(?:'ve| have)? )?(?:(?:recently|just|even|also|finally|already|actually) )*(?!(?:moved|switched|changed|settled|joined|
  need|feed|used) )\p{L}{2,}ed `
const joined = /^(?: of|'s)? ?$/u
const strong: ReadonlySet<string> = new Set(['price', 'percent', 'day', 'clock', 'version', 'command', 'site', 'quoted', 'name'])
const own = /\b(?:i|we|we're|we've|my|our|i've|i'm)\b/iu
/** Beside these a name only tells where or of what. */
const exact: ReadonlySet<string> = new Set(['price', 'percent', 'clock'])
const counted = /^ (?:(?:more|full|big|small|new|different) )?\p{L}+/u
const gone = new RegExp(`\\b${awayBefore} (?:the |our |my |an? )?$`, 'iu')
const goneAfter = new RegExp(`^ (?:\\p{L}+ )?${awayAfter}\\b`, 'iu')
const edges = regex(
  'iu',
)`^(?:the|an?|my|our|i|i'm|i've|we|we're|we've|it|it's|that's|this|there's|and|so|but|also|now|just|since|today|finally)(?= |$)`

/**
 * Reads a state from any plain clause with a value in it: `4.0 got pushed to 12 May`. The words before the value, as they
 * were said, are its attribute. It counts once another statement about the same thing stands beside it.
 */
export function looseStates(clause: string): Said[] {
  const text = clause.replace(lead, '').trim()
  if (text.length < leastClause || text.length > mostClause || denied.test(text) || unsettled.test(text) || asking.test(text)) return []
  if (past.test(text) || part.test(text) || event.test(text)) return []
  const value = valueOf(text)
  if (value === undefined) return []
  const object = text.slice(value.from, value.to)
  const after = text.slice(value.to)
  const attribute = attributeBefore(text.slice(0, value.from)) ?? (/\d/u.test(after) ? undefined : attributeBefore(after))
  return attribute === undefined || noNoun.has(object.toLowerCase())
    ? []
    : [
        {
          says: 'is',
          predicate: attribute,
          object,
          tense: 'present',
          confidence: tellsOwnChange(text, attribute) ? weak : loose,
          single: false,
        },
      ]
}

/** Tells whether a clause says that a known thing of the speaker's has changed, and not somebody else's. */
function tellsOwnChange(text: string, attribute: string): boolean {
  const words = attribute.split(' ')
  if (!own.test(text) || !cues.update.test(text) || words.some((word) => others.has(word.replace(/['’]s?$/u, '')))) return false
  return words.some((word) => attributeKey(word)?.includes(' ') === true || stativeVerbs.has(word))
}

/** Gives the value that a clause tells: the last one that it does not call gone, with the thing that it counts. */
function valueOf(text: string): Value | undefined {
  const told = merged(valuesIn(text), text).filter(
    ({ kind, from, to }) =>
      (kind !== 'command' || /[:./]/u.test(text.slice(from, to))) && !gone.test(text.slice(0, from)) && !goneAfter.test(text.slice(to)),
  )
  const best =
    told.findLast(({ kind }) => exact.has(kind)) ??
    told.findLast(({ kind, from, to }) => strong.has(kind) && !isCount(kind, text.slice(from, to))) ??
    told.at(-1)
  return best === undefined ? undefined : { ...best, to: best.to + (isWhole(best, text) ? 0 : lengthOfThing(text.slice(best.to))) }
}

/** A bare number is a version to the reader of values: in `sleep about 7 hours` it counts. */
function isCount(kind: string, value: string): boolean {
  return kind === 'amount' || (kind === 'version' && /^\d+$/u.test(value))
}

function isWhole({ kind, from, to }: Value, text: string): boolean {
  return strong.has(kind) && !isCount(kind, text.slice(from, to))
}

/** The length of the noun after a number or a known thing: `hours`, and `milk` after `oat`. */
function lengthOfThing(rest: string): number {
  const next = counted.exec(rest)?.[0]
  const noun = next?.split(' ').at(-1)?.toLowerCase() ?? ''
  return measures.has(noun) || attributeKey(noun) !== undefined ? (next ?? '').length : 0
}

/** Joins values that stand side by side: `9 Tanner's Yard`. */
function merged(values: readonly Value[], text: string): Value[] {
  return values.reduce((found: Value[], value) => {
    const last = found.at(-1)
    if (last === undefined || (value.from > last.to && !joined.test(text.slice(last.to, value.from)))) return [...found, value]
    const kind = last.kind === 'amount' ? value.kind : last.kind
    return [...found.slice(0, -1), { kind, from: last.from, to: Math.max(last.to, value.to) }]
  }, [])
}

function attributeBefore(text: string): string | undefined {
  let words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} '&./+#-]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  words = words
    .split(' ')
    .slice(-mostWords)
    .join(' ')
    .replace(/ (?:it|they|we|i|that)$/u, '')
  while (edges.test(words)) words = words.replace(edges, '').trim()
  const last = words.split(' ')
  const isNaming = last.some((word) => word.length > 2 && !fillers.has(word) && !noNoun.has(word))
  return isNaming && words.length > 2 ? last.join(' ') : undefined
}
