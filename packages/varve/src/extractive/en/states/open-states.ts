import { matchesOf } from '../../../messages/matches-of.ts'
import { type Said, weak } from '../../facts/said.ts'
import { besideFrames, bodyFrames, homeFrames, kinFrames, tasteFrames, thingFrames, workFrames } from './common-frames.ts'
import { firstOf } from './frame-reader.ts'
import { framedIn, posts } from './frames.ts'
import { endsOf } from './parts.ts'
import { titled } from './things.ts'
import { asking, beganVerbs, changeVerbs, endVerbs, leads, unsettled } from './words.ts'
import { regex } from '../../word-lists.ts'

const lead = new RegExp(`^(?:${leads}[,:!]* )+`, 'iu')
/** Words before the statement that set its time or its place: `since the summer fair we go by …`. */
const setting = regex('iu')`^(?:since|after|as of|from|for|in|on|at|during|with|now that|these days|this|last|next|every|
  over)\b[^,]{0,50}?,? (?=(?:all |both )?(?:my|our|the|i|we|they|it|i've|we've|i'm|we're|they've|it's) )`
const trailing = regex('iu')`(?:[ ,](?:now|too|again|already|anyway|instead|here|there|then|currently|today|these days|for now|
  at the moment|as well|as of (?:now|today|monday)|starting (?:now|today)|from (?:now|here)(?: on)?(?: out)?|going forward|since|
  everywhere|only|please|pls|thanks|yay|finally|actually|by the way|btw|in its place))+$`
const lately = /\b(?:now|these days|from here|going forward)\b/iu
const settingOfDoer = /^(?:since|after|as of|from|for|in|on|at|during|with)\b[^,]{0,50}?,? (?=(?:i|we) \p{L})/iu
/** Things and people whose reports are taken for true: `the letter says it's lactose`. */
export const truly = regex('iu')`^(?:the|my|our) (?:blood )?(?:test|letter|minutes|paper|form|lab|report|results?|scan|label|website|
  contract|invoice|slip|admin|doctor|vet|physio|nurse|surgery|dentist|bank) (?:says?|said|confirmed|confirms|shows?|showed)(?: that)? `
/** A note leaves out the subject: `traded the Golf for a Kia`. */
const bareVerb = regex('iu')`^(?:work from|${changeVerbs}|${beganVerbs}|${endVerbs}|been (?:on|at|in|with|using)|(?:got|been|was) promoted|
  made the (?:jump|switch|move)|went|gone|swapped|traded|replaced|renamed)\b`
const rather = /(?:'d| would) (?:much |really )?rather (?:get|have|see|read|receive|use|eat|drink|keep) /iu
const denied = /n't\b|\b(?:never|neither|nor)\b/iu
const dangling = regex('iu')`(?:^|[ '])(?:is|are|s|at|on|to|for|from|finish|starts?|endsOf?|opens?|closes?|meets?|
every(?: other| second| first| last)?|the (?:first|last|second|third))$`
const refers = /^(?:it|that|this|which)(?:'s| is| has been|'s been)(?: (?:been|now|actually|really|in fact))* (?=\S)/iu
const topics = regex('giu')`(?:^|\b(?:about|with|on|of|for|to|from) )(?:my|our|the|that|\p{Lu}\p{Ll}+'s) (?<topic>(?:[\p{L}'-]+ ){0,3}?[
  \p{L}'-]+)(?= (?:is|are|was|were|has|have|had|got|isn't|does|did|went|moved|changed|i gave|i told|i mentioned|by the way)\b|$|,)`

const newcomer =
  /^(?:i|we)(?:'ve| have)? (?:finally |just )?(?:got|have|hired) an? new (?<topic>[\p{L}-]+(?: [\p{L}-]+)?)(?= (?:at|in|for|on) |$)/iu
/** Words of somebody who corrects something. */
const wrong = regex(
  'iu',
)`\b(?:(?:was|were|got \S{1,20}) (?:wrong|off)|mixed|misread|misheard|mistake|rubbish|nonsense|actually|misquoted|muddled|
correction|changed|moved)\b`

/** A clause as the open reader gets it. */
export interface OpenClause {
  /** With the times at its ends, and without. */
  readonly whole: string
  readonly core: string
  /** True when its time lies ahead. */
  readonly isAhead: boolean
  /** True when it tells an end. */
  readonly until: boolean
  /** The clauses before it, the last one last. */
  readonly before: readonly string[]
  /** A name after the clause and its comma: `a new au pair, Camille`. */
  readonly beside?: string | undefined
}

/**
 * Reads a state that no other reader knows, at the attribute as it was said: `our deploy branch is release`, `CI is on Node
 * 22`, `we moved the suite to Vitest`, `we dropped Redis`. It needs a plain statement with a value: a number, a name, a
 * known thing or a thing of the speaker's.
 */
export function openStates({ whole, core, isAhead, until, before, beside }: OpenClause): Said[] {
  const found = statesOf(core, isAhead, before)
  // In `market day is Sunday` the time is the value.
  const open = (found.length > 0 || core === whole ? found : statesOf(whole, false, before)).flatMap((one) => placed(one, whole))
  const told = open.some(({ says }) => says === 'is') ? open : [...open, ...commonOf(whole, before)]
  const said =
    told.length > 0 || beside === undefined
      ? told
      : firstOf(besideFrames, `${whole.replace(lead, '')}, ${beside}`).map((one) => ({ ...one, single: false, confidence: weak }))
  return until ? said.filter(({ says }) => says === 'is').map((one) => ({ ...one, passing: true })) : said
}

/** Words by which `I'm in Ghent` tells a home, and no visit. */
const lasting = /\b(?:now|nowadays|these days|since|been|as of|from|for good|permanently)\b/iu
const homes = /^\p{Lu}|\b(?:flat|house|apartment|cottage|semi|bungalow|studio|caravan|houseboat|room)\b/u

/** Names the predicate of a place where somebody is: `we're in Leeds now` tells a home, `I'm at Acme now` a workplace. */
function placed(one: Said, clause: string): Said[] {
  const { predicate, object } = one
  if (predicate === 'is on' && /^[€£$]?\d[\d.,]*k\b/u.test(object)) return [{ ...one, predicate: 'earns', confidence: weak }]
  if (predicate !== 'is in' && predicate !== 'is at') return [one]
  if (/(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/iu.test(object) || posts.test(object)) return [one]
  const isHome = predicate === 'is in' && homes.test(object)
  if (!lasting.test(clause) || !(isHome || /^\p{Lu}/u.test(object))) return []
  return [{ ...one, predicate: isHome ? 'lives in' : 'works at', confidence: weak }]
}

/** Reads a clause by the common frames, with the times in it: `we bill weekly`. */
function commonOf(clause: string, before: readonly string[]): Said[] {
  const plain = clause
    .replace(lead, '')
    .replace(truly, '')
    .replace(rather, ' prefer ')
    .replace(/^i try to (?=stay|eat)/iu, 'I ')
    .replace(lead, '')
    .replace(/[ ,]+$/u, '')
  if (plain.length > mostCommon || unsettled.test(plain) || denied.test(plain)) return []
  const text = about(plain, before)
  return (
    [...new Set([clause, plain, text, unset(text)])]
      .map((one) => (bareVerb.test(one) ? `I ${one}` : one))
      .map((one) => firstOf(commonFrames, one))
      .find((some) => some.length > 0) ?? []
  )
}

function statesOf(clause: string, isAhead: boolean, before: readonly string[]): Said[] {
  if (bounded.test(clause)) return []
  const set = unset(clause.replace(lead, '').replace(truly, '')).replace(lead, '')
  const cut = set.replace(trailing, '')
  // `The walls are white now` says the same as `the walls are now white`.
  const plain = lately.test(set.slice(cut.length)) ? cut.replace(/^(the [\p{L}' -]{2,40}? (?:is|are)) (?!now )/iu, '$1 now ') : cut
  if (plain.length < 4 || plain.length > 200 || dangling.test(plain)) return []
  if (unsettled.test(plain)) return titled(plain)
  const text = about(spelledOut(plain), before)
  if (text === '' || asking.test(text)) return []
  const [, kept = text, instead] = /^(.{3,}?),? (?:instead of|rather than|in place of) (.+)$/iu.exec(text) ?? []
  const said = framedIn(kept, isAhead)
  return instead === undefined || said.length === 0 ? said : [...said, ...endsOf(instead)]
}

/** A time at the head that bounds the state. What is left out would be read as lasting. */
const bounded = regex('iu')`^(?:until|till|for (?:now|the (?:next|time being|moment)|(?:a|two|three|four|some)\s)|
(?:from|starting|as of|beginning) (?!now|today|here|monday|this|last|\p{L}+day))`

/** Takes away the words that set a time or a place: `on my tablet I draw in Procreate`. */
function unset(text: string): string {
  return setting.test(text) ? text.replace(settingOfDoer, '').replace(setting, '') : text
}

const where = /^the ((?:\p{L}+ ){1,2}?)(?:where|that|which) (?:i|we) \p{L}+ (?:(?:at|in|for|with) )?(?=\p{L}+s )/iu
const passive = regex('giu')` (?:got|get|was|were) (?=(?:changed|moved|pushed|bumped|raised|renamed|postponed|rescheduled|put|cut|handed|
switched|reassigned|relocated|replaced)\b)`

/** Writes out short forms, and a subject that was left out. */
function spelledOut(text: string): string {
  const whole = text
    .replace(where, 'my $1')
    .replace(/(?<=\S)'s (?=(?:been|replaced|moved|changed|gone|become|taken|switched|joined|slipped)\b)/giu, ' has ')
    .replace(passive, ' has been ')
    .replace(/ (?:has|have) (?:now |since )?become (?=an? |the |\p{Lu}|\d)/u, ' is ')
  if (
    /^(?:using|running|renting|living|working|taking|learning|paying|dating|staying|driving) \S/iu.test(whole) ||
    /^(?:now |still )?on \p{L}[\p{L}.+#-]* v?\d/iu.test(whole)
  )
    return `I'm ${whole}`
  return bareVerb.test(whole) ? `I ${whole}` : whole
}

const commonFrames = [...kinFrames, ...workFrames, ...homeFrames, ...tasteFrames, ...bodyFrames, ...thingFrames]
/** The common frames are of short clauses. */
const mostCommon = 120

/** Puts the thing that the clauses before spoke of in the place of `it`. Empty where there is none. */
function about(text: string, before: readonly string[]): string {
  const pronoun = refers.exec(text)?.[0]
  if (pronoun === undefined) return text
  for (const clause of before.slice(-4).toReversed()) {
    const topic = matchesOf(clause, topics).at(-1)?.groups?.['topic'] ?? newcomer.exec(clause)?.groups?.['topic']
    // `It's 86 euros` says something new only of a thing that was corrected or changed.
    if (topic !== undefined && !wrong.test(before.slice(-4).join(' ')) && !/\b(?:now|actually|since)\b/iu.test(text)) return ''
    if (topic !== undefined) return `${wrong.test(before.slice(-4).join(' ')) ? 'my' : 'the'} ${topic} is ${text.slice(pronoun.length)}`
  }
  return ''
}
