import type { StatedFact } from '../../../models/writer.ts'
import { isTime } from './times.ts'
import { noNames } from './words.ts'
import { regex } from '../../word-lists.ts'

/** A correction in a short sentence: `42, not 41`, `no, Bergen`. */
export interface Correction {
  readonly meant: string
  /** The wrong words. Absent: the last statement is meant, if it is of the same kind. */
  readonly said?: string
  /** True when it begins like a correction. Otherwise it may be an answer. */
  readonly isMarked: boolean
}

/** The corrected parts of a fact. */
export interface Corrected {
  readonly object: string
  /** The right time, where the correction is about a time. */
  readonly when?: string
}

/** A longer sentence says something of its own. */
const maxLength = 100
const lead = regex('iu')`^(?:(?:no|nope|nah|sorry|oops|whoops|wait|actually|correction|er+|um+|uh+|typo|my bad|my mistake|well|ok|okay|
  oh|i mean|i meant|make that|that should be|should be|should say|that is|that's|it's|it is|its|that was|it was|he's|she's|is|he is|
  she is|rather)(?:[,:;.!–—-]{1,3} ?| ))+`
const opensPlainly =
  /^(?:no|nope|sorry|oops|whoops|wait|actually|correction|er+|typo|my bad|my mistake|i meant|i mean|make that|that should be|should be)\b/iu
const value = '(?:in |at |to |on |for |from |with |the |an? )?([^,;:?]{1,50}?)'
const versus = new RegExp(`^${value},? (?:and |but )?(?:not|instead of|rather than) ${value}$`, 'iu')
const reversed = new RegExp(`^not ${value}(?:, (?:but |it's |it is |i meant |i mean )?| (?:but|it's|it is|i meant|i mean) )${value}$`, 'iu')
const afterwards = new RegExp(`^(?:with [^,]{1,20}, )?${value},? (?:i meant|i mean|sorry)$`, 'iu')
const marked = /^(?:sorry|oops|whoops|correction|typo|my bad|my mistake|i meant|i mean)\b|\b(?:i meant|i mean)\b/iu
const preposition = /^(?:in|at|to|on) /iu
const spelling = /,? with (?:an?|one|two|no|the) \p{L}{1,6}\b/iu
const starred = /^\*+ ?([\p{L}\p{N}][\p{L}\p{N}' -]{0,40}?)\*?$|^([\p{L}\p{N}][\p{L}\p{N}'-]{0,40})\*$/u

const statement = /\b(?:I|I'm|I've|I'd|my|we|we're|our|you|am|are|was|have|has|live|lives|work|works|one|please)\b/iu
const assistants = /^(?:claude|siri|alexa|chatgpt|gpt|gemini|copilot|google|cortana)\b/iu

/** Returns the correction in a sentence that says nothing else. */
export function correctionIn(sentence: string): Correction | undefined {
  if (sentence.length > maxLength) return undefined
  const text = sentence.replace(/[.!\s]+$/u, '')
  const bare = text.replace(lead, '').replace(spelling, '')
  const isMarked = marked.test(text)
  const [, meant, said] = versus.exec(bare) ?? []
  const [, before, after] = reversed.exec(text.replace(/^(?:no|sorry|actually|wait),? /iu, '')) ?? []
  const [right, wrong] = meant === undefined ? [after, before] : [meant, said]
  if (right !== undefined && wrong !== undefined) {
    const isSaid = statement.test(right) || (!isMarked && (!isPlain(right) || !isPlain(wrong)))
    return isSaid ? undefined : { meant: right, said: wrong, isMarked }
  }
  const late = afterwards.exec(text)?.[1]
  if (late !== undefined) return isPlain(late) ? { meant: late, isMarked: true } : undefined
  // `Sorry, Dave` and `no, Claude` address somebody.
  const isAddressed = /^sorry\b(?!.{0,4}\bi mean)/iu.test(text) || assistants.test(bare)
  if (isAddressed && name.test(bare) && !isTime(bare)) return undefined
  return opensPlainly.test(text) && bare !== text && isPlain(bare) ? { meant: bare.replace(preposition, ''), isMarked } : undefined
}

/** Reads `*Hannah`: the right spelling of a word in an earlier message. */
export function spellingIn(message: string): string | undefined {
  const found = message.length > maxLength ? null : starred.exec(message.trim())
  return found?.[1] ?? found?.[2]
}

/** Tells whether a text is a name, a number or a time, and nothing else. */
function isPlain(text: string): boolean {
  const bare = text.replace(preposition, '')
  if (isTime(bare) || isTime(`on ${bare}`) || number.test(bare)) return true
  return name.test(bare) && bare.split(' ').every((word) => !noNames.has(word.toLowerCase()) || isTime(word))
}

const number = /^[€$£]?\d[\d.,]*(?: \p{L}{1,12})?$/u
const name = /^\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*){0,2}$/u

/** Returns a fact after its correction. Undefined where the correction is about something else. */
export function corrected({ object, when }: Pick<StatedFact, 'object' | 'when'>, { meant, said }: Correction): Corrected | undefined {
  const isWhen = isTime(meant) || isTime(`on ${meant}`)
  const put = said === undefined ? undefined : replaced(object, said, meant)
  const moved = when === undefined || !isWhen || (said !== undefined && replaced(when, said, meant) === undefined) ? undefined : meant
  if (put !== undefined || moved !== undefined)
    return { object: put ?? (said === undefined && isTime(object) ? meant : object), ...(moved === undefined ? {} : { when: moved }) }
  if (said !== undefined) return undefined
  const last = isWhen ? (isTime(object) ? meant : undefined) : number.test(meant) ? numbered(object, meant) : named(object, meant)
  return last === undefined ? undefined : { object: last }
}

/** Replaces the name at the end of an object. */
function named(object: string, meant: string): string | undefined {
  const last = /\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)*$/u.exec(object)
  return last === null ? undefined : `${object.slice(0, last.index)}${meant}`
}

/** Replaces the number in `41 plants`. Undefined for several numbers: nobody knows which one is meant. */
function numbered(object: string, meant: string): string | undefined {
  const numbers = object.match(/[€$£]?\d[\d.,]*/gu) ?? []
  const [old] = numbers
  if (numbers.length !== 1 || old === undefined) return undefined
  const [digits = '', unit] = meant.split(' ')
  return unit === undefined || object.includes(unit) ? object.replace(old, digits) : undefined
}

/** Replaces words of a text, where they stand as whole words. Words that the correction repeats are not doubled. */
function replaced(text: string, said: string, meant: string): string | undefined {
  const at = text.toLowerCase().indexOf(said.toLowerCase())
  const [before, after] = [text.slice(0, Math.max(0, at)), text.slice(at + said.length)]
  if (at < 0 || /[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}]/u.test(after)) return undefined
  const words = meant.split(' ')
  const joined = (from: number, to?: number): string => words.slice(from, to).join(' ').toLowerCase()
  const [head, rest] = [before.trimEnd().toLowerCase(), after.trim().toLowerCase()]
  const doubled = words.findLastIndex((_, last) => last < words.length - 1 && head.endsWith(joined(0, last + 1))) + 1
  const next = words.findIndex((_, first) => first > doubled && rest !== '' && after.trimStart().toLowerCase().startsWith(joined(first)))
  return `${before}${words.slice(doubled, next < 0 ? words.length : next).join(' ')}${after}`
}

/** Returns the fact with the new spelling, if it has a word that looks like it. */
export function respelt({ object }: Pick<StatedFact, 'object'>, word: string): Corrected | undefined {
  const like = object.split(' ').find((one) => one !== word && areAlike(one.toLowerCase(), word.toLowerCase()))
  return like === undefined ? undefined : { object: object.replace(like, () => word) }
}

/** Tells whether words differ by two letters at most, or a quarter. */
function areAlike(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 2 || Math.max(a.length, b.length) > 30) return a === b
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [at, sign] of [...a].entries()) {
    const next = [at + 1]
    for (const [place, other] of [...b].entries())
      next.push(Math.min((next[place] ?? 0) + 1, (row[place + 1] ?? 0) + 1, (row[place] ?? 0) + (sign === other ? 0 : 1)))
    row = next
  }
  return (row.at(-1) ?? 9) <= Math.max(1, Math.min(2, Math.floor(b.length / 3)))
}
