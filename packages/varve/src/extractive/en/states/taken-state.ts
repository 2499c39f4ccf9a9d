import type { SaidState } from '../../../models/writer.ts'
import { instructionEndings } from '../instructions/endings.ts'
import { boundary, commonWords, countedNoun, measures, namedAttributes, others, ownAttributes, toldAttributes } from './attributes.ts'
import { kindsOf } from './values.ts'
import { wordSet } from '../../word-lists.ts'
import { workedOutOnce } from '../../worked-out-once.ts'
import { stativeVerbs } from './words.ts'

/** A statement, taken apart. */
export interface Taken {
  readonly value: string
  readonly kinds: ReadonlySet<string>
  /** The attribute that the value itself names last: `night shift`. */
  readonly noun: string | undefined
  /** The thing that a number counts, or its measure. */
  readonly unit: string | undefined
  readonly text: string
  /** The words before the value. */
  readonly left: string
  /** The clause that holds the value, without it. */
  readonly near: string
  /** The words of the clause before its value, without those that tell nothing. */
  readonly opening: string
  /** The text about the value, in which a word of a change counts most. */
  readonly window: string
  readonly words: ReadonlySet<string>
  /** What the clause and the predicate may name, each with the words beside it: they tell the physics exam from the other. */
  readonly about: ReadonlyMap<string, ReadonlySet<string>>
  /** What the rest of the sentence may name. */
  readonly far: ReadonlySet<string>
}

/** Longer sentences are read by their beginnings. */
const maxLength = 600
/** Stands beside the last word of a compound. */
export const compoundHead = ''
export const headOnly: ReadonlySet<string> = new Set([compoundHead])

const attributes = new Map<string, string>([
  ...namedAttributes.flatMap((words, at) => [...words].map((word) => [word, `named ${at}`] as const)),
  ...ownAttributes.flatMap((words, at) => [...words].map((word) => [word, `own ${at}`] as const)),
])
const attributeKeys: ReadonlySet<string> = new Set(attributes.values())

/** Takes a statement apart, or returns what it was taken apart into. */
export const takenApart = workedOutOnce(takeApart)

function takeApart({ text: said, object, predicate }: SaidState): Taken {
  const [text, value] = [plain(said.slice(0, maxLength)), plain(object)]
  const at = text.toLowerCase().indexOf(value.toLowerCase())
  const [left, right] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + value.length)]
  const { clause, before, rest } = clauseOf(left)
  const [after = ''] = right.split(boundary, 1)
  const near = `${before}${clause} | ${after.split(' ').slice(0, 9).join(' ')}`
  const unit = countedNoun.exec(`${value} ${after.trim()}`)?.groups?.['unit']?.toLowerCase()
  const isUnit = unit !== undefined && (measures.has(unit) || attributeKey(unit) !== undefined)
  const counts = isUnit && !measures.has(unit) ? [`unit ${attributeKey(unit) ?? ''}`] : []
  const last = attributeKey(plainWordsOf(value).at(-1) ?? '') ?? ''
  const kinds = kindsOf(value)
  const paidFor = /^\W*\d.*? (?<thing>(?:for|per|of|on) .+)$/u.exec(value)?.groups?.['thing'] ?? ''
  const told = [...toldIn(clause, value), ...counts]
  return {
    value,
    kinds,
    noun: attributeKeys.has(last) && !kinds.has('name') && !isUnit ? last : undefined,
    unit: isUnit ? unit.replace(/s$/u, '') : undefined,
    text,
    left: left.toLowerCase().trim(),
    near,
    window: `${left.slice(-(clause.length + 30))} ${right.slice(0, 40)}`,
    words: new Set(plainWordsOf(plain(`${predicate} ${near}`))),
    about: merged(namesIn(plain(predicate)), namesIn(near), namesIn(paidFor), new Map(told.map((key) => [key, headOnly]))),
    far: new Set(namesIn(`${rest} , ${right.slice(after.length)}`).keys()),
    opening: openingOf(clause),
  }
}

const passedOver = wordSet('and so but also well now currently about around actually still just today ok the a an')

function openingOf(text: string): string {
  return plainWordsOf(text)
    .filter((word) => !passedOver.has(word))
    .join(' ')
}

/**
 * The clause before a value. One without a noun of its own speaks of the thing before it: `the cluster, it turns out, is
 * older: it's Java 21`.
 */
function clauseOf(left: string): { clause: string; before: string; rest: string } {
  const parts = left.split(boundary)
  const clause = parts.pop() ?? ''
  const isOfIt = /\b(?:it|it's|that's|she's|he's|them|they)\b/iu.test(clause)
  const most = namesIn(clause).size > 0 || /\b(?:i|we|i'm|we're|you|you're)\b/iu.test(clause) ? 0 : isOfIt ? 4 : 1
  const before = most === 0 ? [] : parts.splice(-most)
  return { clause, before: before.map((part) => `${part} , `).join(''), rest: parts.join(' , ') }
}

function toldIn(clause: string, value: string): string[] {
  const inside = /^.*?\b(?:at|in|for|with|on) (?:the )?/u.exec(value)?.[0] ?? ''
  const parts = [clause, clause + value, clause + inside]
  return toldAttributes.flatMap(([name, pattern]) => (parts.some((part) => pattern.test(part)) ? [attributeKey(name) ?? name] : []))
}

/** Joins the parts of a word with a hyphen: `stand-up` is one word. */
function plain(text: string): string {
  const joined = text.replaceAll('’', "'").replaceAll(/(?<=\p{L})-(?=\p{L})/gu, '')
  return joined.replaceAll(/\s+/gu, ' ')
}

/** What the words of a text may name, each with those beside it. */
function namesIn(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const words = plainWordsOf(text.replaceAll(/\b(?:for|of|to|at|in|with|on) (?:(?:my|our|the|an?|all|this) )?/giu, 'of '))
  const keys = words.map(attributeKey)
  const found = new Map<string, Set<string>>()
  for (const [place, key] of keys.entries()) {
    if (key === undefined) continue
    const [next, previous] = [keys[place + 1], keys[place - 1]]
    const further = [previous === undefined ? undefined : keys[place - 2], words[place + 1] === 'of' ? keys[place + 2] : undefined]
    const all = [previous, further[0], next, further[1]]
    const beside = all.filter((one) => one !== undefined && one !== key)
    found.set(key, new Set([...(found.get(key) ?? []), ...beside.map(String), ...(next === undefined ? [compoundHead] : [])]))
  }
  return found
}

/** The words of a text, in lower case. */
export function plainWordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,:'][\p{L}\p{N}]+)*/gu) ?? []
}

/** The attribute that a word names, or its stem where it may name one. A word of every talk names nothing. */
export function attributeKey(word: string): string | undefined {
  const bare = word.replace(/'s$/u, '')
  const known = attributes.get(bare)
  if (known !== undefined) return known
  if ([word, bare].some((one) => commonWords.has(one) || others.has(one) || stativeVerbs.has(one))) return undefined
  return /^\p{N}/u.test(word) || word.length < 2 ? undefined : instructionEndings.stem(bare)
}

function merged(...maps: readonly ReadonlyMap<string, ReadonlySet<string>>[]): ReadonlyMap<string, ReadonlySet<string>> {
  const entries = maps.flatMap((map) => [...map])
  const groups = Map.groupBy(entries, ([key]) => key)
  return new Map([...groups].map(([key, some]) => [key, new Set(some.flatMap(([, beside]) => [...beside]))]))
}
