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

const hum = '(?:(?:oh|ah|u[hm]|erm?|hm+|ok|okay|alright|well|but|actually|wait|sorry|lol|haha)[,.…]{0,3} ){0,3}'
const goesOn = "(?:wait|sorry|actually|not|it's|it is|i|i'm|we|my|that's|scratch|make that)"
/** `No, I don't eat fish either` takes nothing back. */
const alsoNot = "(?!,? (?:i|we)(?:'m not| am not| don't| do not| can't| haven't| never) \\S+ \\S)"
const taking = [
  `(?:no|nope|nah)(?:[.!…]{0,3}$|${alsoNot}(?:[,.…!]{1,3} (?!(?:really|seriously|kidding|joke)\\b)| (?=${goesOn}\\b)))`,
  '(?:scratch|strike|forget|ignore|disregard) (?:that|what i (?:just )?said|i (?:ever )?said that)|nvm|never ?mind|' +
    "i lied|that's a lie|not really|not true",
  "(?<=wait[,.…]{0,3} )(?:(?:no|not|it's|that's|i mean|make that)\\b|\\S+(?: \\S+)?[.!…]{0,3}$)",
  '(?:i mean,? |(?<=\\b(?:well|ok|okay|actually)[,.…]{0,3} ))(?:not\\b|almost|nearly|sort of|kind of|kinda|technically|more ' +
    'like|i (?:used to|did|was|lied)\\b|that was|it (?:was|used to)\\b|\\p{L}+ is (?:a bit |a little |too |maybe )?(?:strong|' +
    'much|an exaggeration|a stretch|pushing it))',
  '(?<=\\b(?:well|ok|okay|alright|actually|wait)[,.…]{0,3} )(?:(?:only |just |more like |make that )?(?:\\d+|one|two|three|four|five)\\b)',
  'wait[.!…]{0,3}$',
].join('|')
const beginning = new RegExp(`^${hum}(?:${taking})`, 'iu')
const aside = regex('iu')`^(?:(?:oh|well|or|uh|um|ok|wait|actually|sorry)[ ,]{1,2}){0,2}(?:no|nope|nah|not really|scratch that|
  strike that|rather|wait|no wait|wait no|no sorry|actually)$`

/** Tells whether a sentence takes back the one before: `ok no, I do payroll`. */
export function takesBackBefore(sentence: string): boolean {
  return beginning.test(sentence.slice(0, 120))
}

const wholly = regex('iu')`^${hum}(?:(?:argh|ugh|hang on|oops|sorry)[,.! ]{1,3}){0,2}(?:no wait|wait,? no|(?:scratch|ignore|forget|
  disregard) that(?: last (?:one|bit|message))?|never ?mind that|my mistake)\b`

/** Tells whether a message takes back the whole message before it: `no wait, I had the wrong branch open`. */
export function takesBackMessage(sentence: string): boolean {
  return wholly.test(sentence.slice(0, 120))
}

/** Tells whether a clause takes back the one before: `I live in Bath, no wait, in Wells`. */
export function isSecondThought(clause: string): boolean {
  return clause.length < 40 && aside.test(clause.replace(/[.!…]+$/u, ''))
}
