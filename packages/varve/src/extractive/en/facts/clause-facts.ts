import type { Acquaintances } from '../../facts/acquaintances.ts'
import { cancellations, changes, denials, endings, lasting } from './endings.ts'
import { dropping, givenUp, sales } from './habits.ts'
import { lastDays, leavings } from './leaving.ts'
import { lossesIn } from './losses.ts'
import { spelledOut, spokenOf } from './mentions.ts'
import { type Bound, negations } from './negations.ts'
import { tasteIn } from './objects.ts'
import { choices, suggestion } from './kinds/choices.ts'
import { zoneIn } from './kinds/contact.ts'
import { daysOfThings, journeys, notedPlans } from './kinds/dates.ts'
import { abstaining } from './kinds/diets.ts'
import { allergyIn } from './kinds/health.ts'
import { kinSpoken, pairIn } from './kinds/kin.ts'
import { storedThings } from './kinds/stored.ts'
import { majorIn } from './kinds/studies.ts'
import { ownCar, toolChange } from './kinds/tools.ts'
import { pronounsIn, traits } from './kinds/traits.ts'
import type { Opening } from './own-name.ts'
import { partings } from './partings.ts'
import { nameIn } from './persons.ts'
import { decisions, plans } from './plans.ts'
import { prices } from './prices.ts'
import { is, type Said, type Setting, weak } from '../../facts/said.ts'
import { type Spoken, spokenIn, withSelf } from './subjects.ts'
import { dayIn } from './times.ts'
import { phrases, regex } from '../../word-lists.ts'

/** A clause, with everything that its reading needs. */
export interface Looked extends Bound, Pick<Setting, 'isAhead' | 'isTechnical' | 'until'> {
  /** With the times at its ends, and without. */
  readonly whole: string
  readonly core: string
  readonly opening: Opening
  /** True when the speaker takes back an earlier statement. */
  readonly takesBack: boolean
  /** Names that are known to be persons. */
  readonly known: Acquaintances
  /** The clause before, and whether `and` stands between the two. */
  readonly last: string
  readonly isJoined: boolean
  /** Whether the clause begins with `and`, and may go on without a subject. */
  readonly isAnd: boolean
  /** The subject of the clause before, for a clause that goes on without one. */
  readonly before: Spoken | undefined
}

/** Predicates that only persons have: they may be read of a name that could be a thing's. */
const ofAnybody = new Set(
  phrases(`lives in, works at, works as, comes from, allergic to, speaks, diet, birthday, plans to, intolerant to, does not eat,
    does not drink, studies, studies at, teaches, plays, drives`),
)

const since = /\b(?:since|for (?:\S{1,12} ){1,4}(?:days|weeks|months|years|decades|a (?:week|month|year)))\b/u

/** Returns the facts of a clause, and its subject. */
export function clauseFacts(looked: Looked): { said: Said[]; spoken: Spoken | undefined } {
  const { said, spoken } = plainFacts(looked, spokenOf(looked.last))
  return { said: [...lossesIn(looked.core, looked.known), ...said], spoken }
}

/** Readers of facts that no verb states of a person. */
const ofNobody = [zoneIn, pairIn, pronounsIn, ownCar, toolChange, suggestion, storedThings, majorIn, allergyIn]
/** The name that is all of the clause before: `Dan` and I. */
const other = /(?:^|(?<=^(?:so|and|well|ok|btw) ))(?:my \p{L}+(?: \p{L}+)?|\p{L}+)$/iu

/** `about` is the person about whom something was wrong, as the words right before say: `I was wrong about Iver`. */
function plainFacts(looked: Looked, about: string | undefined): { said: Said[]; spoken: Spoken | undefined } {
  const text = spelledOut(looked.core, about)
  const known = about === undefined ? looked.known : looked.known.with(about)
  const spoken = spokenIn(looked.opening.isFirst ? withSelf(text) : text, known) ?? kinSpoken(text, known) ?? goesOn(looked)
  const { isAhead, isTechnical, until } = looked
  const setting: Setting = { who: spoken?.who ?? 'I', isAhead, isTechnical, lasts: since.test(looked.whole), until }
  const found = [
    ...nameIn(looked.core, spoken?.who === 'I' ? spoken.phrase : undefined, looked.opening),
    ...birthday(looked.whole),
    ...favourite(looked.core),
    ...prices(looked.core),
    ...ofNobody.flatMap((read) => read(looked.core)),
    ...daysOfThings(looked.core, isAhead, looked.when),
    ...notedPlans(looked.core, isAhead),
    ...changes(looked.core, setting),
    ...partings(looked.core, looked.next, looked.isJoined ? (other.exec(looked.last)?.[0] ?? '') : ''),
    ...lastDays(looked.core, looked.when),
  ]
  if (found.length > 0 || spoken === undefined) return { said: found, spoken }
  const said = phraseFacts(spoken.phrase, setting, looked)
  return { spoken, said: spoken.subject === '' ? said : said.flatMap((one) => ofOther(one, spoken)) }
}

/** Returns a fact about another. An ending does no harm where nothing was known. */
function ofOther(one: Said, { subject, isKnown, namedBy }: Spoken): Said[] {
  if (!isKnown && one.says !== 'ends' && !ofAnybody.has(one.predicate) && !one.object.endsWith(' disease')) return []
  return [{ ...one, subject, ...(isKnown ? {} : { confidence: weak }), ...(namedBy === undefined ? {} : { also: [namedBy] }) }]
}

const withoutSubject = regex('u')`^(?:also |now |currently )?(live|work|speak|love|like|hate|prefer|have|am|enjoy|moved|lives|works|
  speaks|loves|likes|hates|prefers|has|is) (.+)$`

/** What a speaker says of himself after the name or another trait: `I'm Ada, a potter`, `I'm 30, based in Oslo`. */
const named = /^am (?:\p{Lu}|\d\d|an? )/u
const trait = regex('u')`^(?:an? [\p{L}/ -]{3,40}|\d\d(?: years old)?|(?:based|living) in .+|from \p{Lu}\p{L}+|(?:working|studying) .+)$`

/** Reads `and work at Acme`: takes the subject of the clause before. */
function goesOn({ core, before, isAnd }: Looked): Spoken | undefined {
  if (before?.who === 'I' && named.test(before.phrase) && trait.test(core)) return { ...before, phrase: `am ${core}` }
  const bare = isAnd ? withoutSubject.exec(core) : null
  if (bare === null || before === undefined) return undefined
  if (before.who !== 'other') return { ...before, phrase: `${bare[1] ?? ''} ${bare[2] ?? ''}` }
  return spokenIn(`${before.subject} ${core}`, { has: (name) => before.isKnown && name === before.subject.toLowerCase() })
}

function phraseFacts(phrase: string, setting: Setting, looked: Bound & Pick<Looked, 'takesBack'>): Said[] {
  const others = [...endings(phrase, setting), ...cancellations(phrase, setting), ...denials(phrase, setting, looked.takesBack)]
  if (others.length > 0) return [...others, ...abstaining(phrase, setting)]
  const gone = [
    ...leavings(phrase, setting),
    ...negations(phrase, setting, looked),
    ...givenUp(phrase, looked.when, setting.until),
    ...dropping(phrase),
    ...sales(phrase),
  ]
  const chosen = choices(phrase, setting)
  return [
    ...(chosen.length > 0 ? chosen : decisions(phrase, setting)),
    ...plans(phrase, setting),
    ...[journeys, traits].flatMap((read) => read(phrase, setting)),
    ...(gone.length > 0 ? [...gone, ...abstaining(phrase, setting)] : lasting(phrase, setting)),
  ]
}

const hasBirthday = /^(?:my|(?:my [\p{L}-]{2,20} )?(\p{Lu}[\p{L}-]{1,30})'s) birthday(?:'s| is|'s on| is on) (.+)$/iu
const bornOn = /^(?:I|(\p{Lu}[\p{L}-]{1,30})) was born on (.+)$/u

/** Returns somebody's birthday, if it is a day of the calendar. */
function birthday(clause: string): Said[] {
  const [, of, text = ''] = hasBirthday.exec(clause) ?? bornOn.exec(clause) ?? []
  const day = dayIn(text)
  return day === undefined || /^\d{1,2}\p{L}{2}$/u.test(day) ? [] : is('birthday', day, of === undefined ? {} : { subject: of })
}

const likesMost = /^my (?:absolute |all-time )?favou?rite ([\p{Ll} -]{2,30}) (?:is|are) (.+)$/iu

function favourite(clause: string): Said[] {
  const [, kind = '', what = ''] = likesMost.exec(clause) ?? []
  if (/^$|\b(?:part|thing|one|bit|moment|way|line|is|are)\b/u.test(kind) || /^(?:not|to|when|that|how|still|the end|also)\b/iu.test(what))
    return []
  return is(`favourite ${kind.toLowerCase()}`, tasteIn(what.replace(/^the /iu, '')), { single: true })
}
