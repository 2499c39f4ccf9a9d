import { matchesOf } from '../../../messages/matches-of.ts'
import { regex, source, wordSet } from '../../word-lists.ts'
import type { Acquaintances } from '../../facts/acquaintances.ts'
import { personIn } from './objects.ts'
import { partingFrom } from './partings.ts'
import { ends, type Said } from '../../facts/said.ts'
import { relations } from './words.ts'

const role = `(${relations.join('|')})`
const one = "\\p{Lu}[\\p{Ll}'-]*\\p{Ll}(?: \\p{Lu}[\\p{Ll}'-]*\\p{Ll})?"
const died = source`(?:has |have |had |just |sadly |suddenly |recently ){0,3}(?:died|passed away|passed on|(?:was|were|been) (?:put down|
  put to sleep|run over and killed)|(?:had to be|has to be) put (?:down|to sleep)|is dead|is no longer with us)`
const named = new RegExp(`\\b(?:[Mm]y|[Oo]ur) (?:\\p{Ll}{2,12} )?${role},? (${one}),? ${died}(?![\\p{L}'])`, 'gu')
const unnamed = new RegExp(`\\b(?:[Mm]y|[Oo]ur) ${role} ${died}(?![\\p{L}'])`, 'gu')
const former = regex('gu')`\b[Mm]y (?:(?:late|former|previous|ex|deceased|soon-to-be-ex) |ex-)${role}(?:'s name was| was called|
  's called| is called|,)? (${one})(?![\p{L}])`
const formerPartner = new RegExp(`\\b[Mm]y ex(?: is called| was called|,| is| was|'s name is|'s name was)? (${one})(?![\\p{L}])`, 'gu')
const bare = regex('gu')`(?:^|[,;] (?:and |but )?|\b(?:and|but) )(${one}) ${died}(?![\p{L}'])( (?:in|on|under|during) (?:the|a|my|
  its) (?!night|morning|evening|spring|summer|autumn|winter|weekend))?`
const putDown = regex('gu')`\b(?:I|[Ww]e)(?:'ve)? (?:had to|have had to|have)? ?(?:put|lost) (${one})(?: (?:down|to sleep))?(?=$|
  [.,;!]| (?:yesterday|today|last|this|on|in|a|two|three)\b)`
/** A sentence without one of these words tells of no loss. */
const hint = /\b(?:died|passed|put|lost|dead|longer|killed|late|former|previous|ex|deceased)\b/u
const pets = wordSet('dog cat horse puppy kitten rabbit parrot')

/** Reads deaths, and persons who are no longer in their role. Both end the fact that names them. */
export function lossesIn(sentence: string, known: Acquaintances): Said[] {
  if (!hint.test(sentence)) return []
  const found = [
    ...[...matchesOf(sentence, named), ...matchesOf(sentence, former)].flatMap(([, of = '', name = '']) => partingFrom(name, of)),
    ...matchesOf(sentence, formerPartner).flatMap(([, name = '']) => partingFrom(name, 'partner')),
    ...matchesOf(sentence, unnamed).flatMap(([, of = '']) => [...partingFrom('', of), ...(pets.has(of) ? ends('has', of) : [])]),
  ]
  if (found.length > 0) return found
  return [
    ...matchesOf(sentence, bare).flatMap(([, name = '', place]) => lossOf(name, known, place !== undefined)),
    ...matchesOf(sentence, putDown).flatMap(([all, name = '']) => lossOf(name, known, all.includes('lost'))),
  ]
}

/** Ends a name alone: its roles as the talk knows them, or else those of a pet. */
function lossOf(name: string, known: Acquaintances, needsKnown: boolean): Said[] {
  const roles = known.rolesOf(name)
  if (personIn(name) === undefined || (needsKnown && roles.length === 0)) return []
  return (roles.length > 0 ? roles : ['dog', 'cat']).flatMap((of) => partingFrom(name, of))
}
