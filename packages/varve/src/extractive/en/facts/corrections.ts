import type { StatedFact } from '../../../models/writer.ts'
import { personIn, placeIn, workplaceIn } from './objects.ts'
import { dayIn } from './times.ts'
import { regex } from '../../word-lists.ts'

const negated = /^not (.{1,80})$/u
const preposition = /^(?:in|at|to|for|from|with) /u

/** Returns the object that a fact replaces, where the clause after it says so: `…, not Oslo`. */
export function insteadOf({ predicate }: Pick<StatedFact, 'predicate'>, clause: string): string | undefined {
  const text = negated.exec(clause)?.[1]?.replace(/[.!]+$/u, '')
  if (text === undefined) return undefined
  if (predicate === 'birthday') return dayIn(text)
  const bare = text.replace(preposition, '')
  if (predicate === 'age') return /^\d{1,3}(?= |$)/u.exec(bare)?.[0]
  if (predicate === 'lives in' || predicate === 'comes from') return placeIn(bare)
  if (predicate === 'works at') return workplaceIn(bare)
  if (predicate === 'name') return personIn(bare)
  const isNone = !predicate.startsWith('favourite ') || /^(?:really|yet|any|sure|only|just|that|so)\b/u.test(bare)
  return isNone ? undefined : /^(?:the |an? )?([\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+)?)$/u.exec(bare)?.[1]
}

const notName = /^,? (?:and )?not (\p{Lu}[\p{L}'-]{1,30})(?=[.,;!]|$)/u

/** Returns the name that another name replaces: `my dog is called Max, not Rex`. */
export function insteadOfName(sentence: string, name: string): string | undefined {
  return notName.exec(sentence.slice(sentence.indexOf(name) + name.length))?.[1]
}

const takingBack = regex('iu')`\b(?:I was wrong|that was wrong|that's wrong|my mistake|that's not true|that isn't true|that wasn't true|
  I misspoke|I was mistaken|I made a mistake|correction)\b`

/** Tells whether a sentence takes back an earlier statement. */
export function takesBack(sentence: string): boolean {
  return takingBack.test(sentence)
}
