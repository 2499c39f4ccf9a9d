import { anyDigit, firstPerson, identifier, timeWord } from './cues.ts'
import { languagePacks } from './languages.ts'
import type { ExtractiveMeans } from './means.ts'
import { workedOutOnce } from './worked-out-once.ts'

const smallTalks = languagePacks.map(({ smallTalk }) => smallTalk)
const reactions = smallTalks.flatMap(({ reaction }) => reaction ?? [])
const resolves = smallTalks.flatMap(({ resolve }) => resolve ?? [])

/** A name within a sentence. */
const name = /(?<=[\p{L}\p{N},] )(?!I(?!\p{L}))\p{Lu}\p{Ll}/u

const termsOf = workedOutOnce(({ terms }: ExtractiveMeans) => {
  const feelings = new Set(terms(smallTalks.flatMap((one) => one.feelings ?? []).join(' ')))
  const plain = terms(smallTalks.flatMap((one) => one.plainWords ?? []).join(' '))
  return { feelings, empty: feelings.union(new Set(plain)) }
})

/**
 * Tells whether a sentence tells more than a feeling, a resolve or a reaction to what another said. One with a number, a time or a
 * name does.
 */
export function hasSubstance(sentence: string, terms: ReadonlySet<string>, means: ExtractiveMeans): boolean {
  if ([anyDigit, timeWord, name, identifier].some((cue) => cue.test(sentence))) return true
  if (reacts(sentence)) return false
  const { feelings, empty } = termsOf(means)
  const isOfFeeling = !terms.isDisjointFrom(feelings) || resolves.some((resolve) => resolve.test(sentence))
  // `I'll keep at it and never quit`.
  return !isOfFeeling || !terms.isSubsetOf(empty)
}

/** A reaction that goes on after a comma, or about its speaker, tells more. */
function reacts(sentence: string): boolean {
  return reactions.some((reaction) => {
    const [opening] = reaction.exec(sentence) ?? []
    const rest = opening === undefined ? '' : sentence.slice(opening.length)
    return opening !== undefined && !rest.includes(',') && !firstPerson.test(rest)
  })
}
