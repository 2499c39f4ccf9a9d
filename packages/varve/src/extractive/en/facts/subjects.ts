import { leadIn } from '../commands/leads.ts'
import { personIn } from './objects.ts'
import type { Setting } from '../../facts/said.ts'
import { relations } from './words.ts'
import { regex, source, wordTable } from '../../word-lists.ts'

/** The subject of a clause, and the rest of it in the form after `I`. */
export interface Spoken {
  readonly subject: string
  readonly who: Setting['who']
  readonly phrase: string
  /** True when the subject is surely a person: kin, or a speaker. */
  readonly isKnown: boolean
  /** The message that names the subject, if the clause does not. */
  readonly namedBy?: number
}

const lead = regex('iu')`^(?:(?:haha|lol|tbh|ngl|fwiw|omg|hmm+|u[hm]|ah|yup|nope|nah|hiya|yo|morning|anyways|plus|by the way|
  just so you know|for the record|fun fact|to be (?:honest|fair|clear)|as it happens|and|but|so|also|well|yes|yep|no|yeah|true|ok|okay|
  hi|hello|hey|actually|anyway|oh|sorry|fyi|btw|thanks|correction|personally|honestly|luckily|sadly|unfortunately|it turns out(?: that)?|
  turns out(?: that)?|turned out(?: that)?|as it turns out|finally|currently|now|recently|fine|good|right|decided|agreed|settled)[,:]? )+`
const adverb = source`(?:(?:now|currently|still|also|really|absolutely|always|actually|usually|mostly|mainly|truly|particularly|
  especially|definitely|recently|both|all|already|presently) ){0,3}`
const self = new RegExp(`^(I|i|we|We)(?:'(m|ve|ll|re)| (am|are|have|will))? ${adverb}(.+)$`, 'u')
const own = regex('u')`^(?:[Mm]y|[Oo]ur) (?:(?:older|younger|little|big|elder|twin|eldest|oldest|youngest|middle|best|dear|new|good|old|
  late|former|ex) |ex-)?(?:${relations.join('|')}),? (?=\p{Lu})`
/** Verb forms of the third person, each with its form after `I`. */
export const thirdForms = wordTable(`lives: live, works: work, is: am, has: have, loves: love, likes: like, enjoys: enjoy,
  prefers: prefer, hates: hate, speaks: speak, comes: come, dislikes: dislike, owns: own, doesn't: don't, does: do, detests: detest,
  adores: adore, isn't: am not, hasn't: haven't, won't: won't, gave: gave, sold: sold, retired: retired, quit: quit, left: left,
  moved: moved, started: started, got: got, resigned: resigned, became: became, used: used, stopped: stopped, was: was, can't: can't,
  went: went, uses: use, drives: drive, studies: study, teaches: teach, plays: play, weighs: weigh, turned: turned, joined: joined,
  married: married`)
const other = regex('u')`^((?:(?:Frau|Herr|Mr|Mrs|Ms|Dr|Captain)\.? )?\p{Lu}[\p{L}-]{1,30}(?: \p{Lu}[\p{L}-]{1,30})?) ${adverb}(
  no longer |never )?(${Object.keys(thirdForms).join('|')}) ${adverb}(.+)$`

const contracted = wordTable('m: am, re: am, am: am, are: am, ve: have, have: have, ll: will, will: will')

/** Counts the characters at the beginning of a clause that only lead up to its statement. */
export function leadLength(clause: string): number {
  const first = lead.exec(clause)?.[0].length ?? 0
  return first + (leadIn(clause.slice(first))?.length ?? 0)
}

const greetings = 'hi|hiya|hello|hey|heya|yo|hallo|howdy|greetings|(?:good )?(?:morning|evening|afternoon)'
const greeting = new RegExp(String.raw`^(?:${greetings})\b`, 'iu')
const greetingAlone = regex('iu')`^(?:${greetings}|nice to meet you)(?: (?:there|all|everyone|everybody|again|guys|folks|both|team|
  claude|bot))?[!.,\s]*$`

export function isGreeting(text: string): boolean {
  return greeting.test(text)
}

/** Reads `hi there!` */
export function isGreetingAlone(text: string): boolean {
  return greetingAlone.test(text)
}

/** Tells whether a name, in lower case, is surely a person's. */
interface Known {
  has(name: string): boolean
}

const withoutSelf = /^(?:(am|can't stand|hate|loathe|used to)|living|studying|learning|doing my) (?!.* is )/iu

/** Adds the pronoun that a message leaves out at its beginning: `living in Leeds`, `can't stand coriander`. */
export function withSelf(clause: string): string {
  const found = withoutSelf.exec(clause)
  return found === null ? clause : `${found[1] === undefined ? "I'm" : 'I'} ${clause.charAt(0).toLowerCase()}${clause.slice(1)}`
}

/** Returns the subject of a clause. Undefined where it has none that patterns can read. */
export function spokenIn(clause: string, known: Known): Spoken | undefined {
  const mine = self.exec(clause)
  if (mine !== null) {
    const verb = contracted[mine[2] ?? mine[3] ?? '']
    const phrase = `${verb === undefined ? '' : `${verb} `}${mine[4] ?? ''}`
    return { subject: '', who: /^I$/iu.test(mine[1] ?? '') ? 'I' : 'we', phrase, isKnown: true }
  }
  const kin = own.exec(clause)?.[0].length ?? 0
  const [, called = '', negation = '', verb = '', rest = ''] = other.exec(clause.slice(kin)) ?? []
  const subject = personIn(called)
  if (subject === undefined) return undefined
  const phrase = `${negation}${thirdForms[verb] ?? verb} ${rest}`.replace(/^no longer am /u, 'am no longer ')
  return { subject, who: 'other', phrase, isKnown: kin > 0 || known.has(subject.toLowerCase()) }
}
