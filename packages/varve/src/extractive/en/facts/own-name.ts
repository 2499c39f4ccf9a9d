import { wordSet } from '../../word-lists.ts'
import { isGiven } from './known-names.ts'
import { personIn } from './objects.ts'
import { is, type Said, sure, weak } from '../../facts/said.ts'

/** The place of a clause that may name its speaker. */
export interface Opening {
  /** After a greeting. */
  readonly isGreeted: boolean
  /** The clause begins the message, or follows `by the way`. */
  readonly isFirst: boolean
}

/** Words with a capital after `I'm` that are no names: moods, jests, roles of the moment. */
const noSelf = wordSet(`done back sorry ready fine good new here lost stuck bored sad happy sick hungry tired sure late early busy free
  home alone alive awake asleep dead broke broken drunk sober single married engaged pregnant vegan vegetarian serious confused pissed
  angry mad glad excited annoyed impressed interested worried scared old young great okay well better worse right wrong out in off on up
  down gone batman superman spiderman spider-man ironman groot spartacus legend legion loki thor neo yoda gandalf sherlock jesus god satan
  santa elvis cinderella dracula hamlet napoleon cleopatra zeus voldemort frodo hermione shrek barbie google apple microsoft amazon
  dyslexic autistic diabetic left-handed christian muslim jewish catholic hindu buddhist`)
const shaped = /(?:ed|ing|ish|less|ful|ous|able|ible|ive|ese|ist)$/iu
const go = /^go by (\p{Lu}\S*(?: \p{Lu}\S*)?)$/u
const itIs = /^(?:[Tt]his is|[Ii]t'?s|[Ii]t is) (?:me,? )?(\p{Lu}[\p{L}-]+)(?: here| again)?$/u
const here = /^(?:(?:[Tt]his is|[Ii]t's) (\p{Lu}[\p{L}-]+) here|(\p{Lu}[\p{L}-]+) (?:here|speaking))$/u
const bare = /^(?:the )?name(?:'s| is) (\p{Lu}.*)$/iu

/** Returns the speaker's name in a clause that says nothing else: `I'm Ada`, `it's Ada here`, `I go by Ada`. */
export function selfNamed(clause: string, phrase: string | undefined, { isGreeted, isFirst }: Opening): Said[] {
  const told = go.exec(phrase ?? '')?.[1] ?? (isFirst || isGreeted ? bare.exec(clause)?.[1] : undefined)
  if (told !== undefined) return is('name', personIn(told))
  // `It's Ada` with nothing before it may be the answer to a question about a cat.
  const at = (isGreeted ? itIs.exec(clause) : null) ?? (isFirst || isGreeted ? here.exec(clause) : null)
  const present = at?.[1] ?? at?.[2]
  if (present !== undefined) return isGiven(present) ? is('name', personIn(present)) : []
  const self = /^am (\p{Lu}.*)$/u.exec(phrase ?? '')?.[1]
  if (self === undefined || self.endsWith("'s")) return []
  if (isGreeted || self.includes(' ')) return is('name', isPlain(self) ? personIn(self) : undefined, isGreeted ? {} : { confidence: weak })
  const isName = isGiven(self) || (isFirst && isPlain(self) && /^\p{Lu}[\p{Ll}'-]{2,}$/u.test(self))
  return isName ? is('name', personIn(self), { confidence: isGiven(self) ? sure : weak }) : []
}

function isPlain(name: string): boolean {
  return !noSelf.has(name.toLowerCase()) && !(shaped.test(name) && !isGiven(name.split(' ')[0] ?? ''))
}
