import { contentTerms } from '../index/content-terms.ts'
import { spokenAs } from '../messages/spoken-as.ts'
import type { AskedWords } from './asked-words.ts'
import type { MessageHit } from './hit.ts'
import type { NumberedHit } from './message-hit.ts'
import { dayInWords } from './signals/session.ts'

/** Only so many of the best hits are looked at, so near to the best one in score, and so short. Lengths are in UTF-16 code units. */
const mostLooked = 5
const leastScore = 0.5
const [longestText, longestSentence] = [400, 160]

const own = /\b(?:i|i'm|my|mine|me|we|we're|our|ours|us)\b/iu
/** Questions about more than what holds now: what was, or all of it. */
const spread =
  /\b(?:was|were|did|had|been|before|first|last|since|how long|so far|total|all|list|changes?|changed|across|throughout|between)\b/iu
const sentenceEnd = /(?<=[.!?\n])\s+/u
/** Words by which a new state is told. */
const change = new RegExp(
  String.raw`\b(?:now|nowadays|new|moved|switched|changed|swapped|replaced|instead|no longer|any ?more|from (?:now|today) on|these days|` +
    String.raw`as of|by now|bumped|raised|lowered|(?:went|gone) (?:up|down)|dropped|ditched|correction|actually|took over|became|renamed|` +
    String.raw`pushed|postponed|rescheduled|brought forward|was wrong|got (?:it |that )?wrong|mixed up|misread|turns out|scratch that|` +
    String.raw`changed my mind|update (?:this|your|our|my)|until further notice|(?:is|are) (?:out|gone)|has left|` +
    String.raw`since (?:last|this|the|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|` +
    String.raw`september|october|november|december))\b`,
  'iu',
)
/** Words of what may be, of a while only, of others, or of a second thing. */
const open = new RegExp(
  String.raw`\b(?:will|would|might|may (?:be|have|move|change|switch)|could|should|if|unless|whether|maybe|perhaps|probably|thinking|` +
    String.raw`considering|wants? to|wanted to|hope|going to|gonna|plan(?:ning)? to|says?|said|told|asked|friend|sister|brother|` +
    String.raw`colleague|for (?:a|the next|one|two|three) (?:day|week|few)|this week|also|too)\b`,
  'iu',
)

/**
 * Puts a later statement before the best hit, where both are by one speaker and the question is about the present. The
 * later one counts in two cases:
 *
 * - One of its sentences says all words of the question that a sentence of the best hit says.
 * - It tells a change of something that the best hit or the question speaks of. The question must then be about the
 *   asker's own things.
 *
 * English.
 */
export function newestStatementFirst(
  found: readonly NumberedHit[],
  words: AskedWords,
  query: string,
  isPresent: () => boolean,
): readonly NumberedHit[] {
  const [first] = found
  if (first === undefined || !isPlain(first.hit)) return found
  const isOwn = own.test(query)
  // In a talk of people with names, what is said again is seldom a state.
  const isOneUser = isOwn || first.hit.name === undefined
  const said = !isOneUser || spread.test(query) ? undefined : mostSaidIn(first.hit.text, words)
  const later = found
    .slice(1, mostLooked)
    .filter(
      ({ hit }) => isRival(hit, first.hit) && (saysAgain(hit.text, said, words) || (isOwn && tellsChange(hit.text, first.hit.text, words))),
    )
  const [newest] = later.toSorted((a, b) => b.hit.at - a.hit.at)
  return newest === undefined || !isPresent() ? found : exchanged(found, first, newest)
}

/** Has two hits exchange their places and scores. Among hits of its new score the lowered one stands by its time. */
function exchanged(found: readonly NumberedHit[], first: NumberedHit, newest: NumberedHit): readonly NumberedHit[] {
  const raised = moved(newest, first.hit, `took the place of what was said on ${dayInWords(first.hit.at)}`)
  const lowered = moved(first, newest.hit, 'said again later')
  const others = found.flatMap((one) => (one === first ? raised : one === newest ? [] : one))
  const isBehind = ({ hit, ord = 0 }: NumberedHit): boolean =>
    hit.score < lowered.hit.score ||
    (hit.score === lowered.hit.score && (hit.at < lowered.hit.at || (hit.at === lowered.hit.at && ord < (lowered.ord ?? 0))))
  const place = others.findIndex((one) => one !== raised && isBehind(one))
  return place === -1 ? [...others, lowered] : others.toSpliced(place, 0, lowered)
}

function moved(one: NumberedHit, { score }: MessageHit, text: string): NumberedHit {
  const { hit } = one
  const signal = { name: 'state' as const, value: score - hit.score, text }
  return { ...one, hit: { ...hit, score, signals: [...hit.signals, ...(signal.value === 0 ? [] : [signal])] } }
}

function isRival(hit: MessageHit, first: MessageHit): boolean {
  const isHeld = hit.superseded === undefined
  return isHeld && isPlain(hit) && hit.score >= leastScore * first.score && hit.at > first.at && hit.name === first.name
}

function isPlain(hit: MessageHit): boolean {
  return spokenAs(hit) === 'user' && hit.text.length <= longestText && !isMoved(hit)
}

/** Tells whether an ended state moved a hit. */
function isMoved({ signals }: MessageHit): boolean {
  return signals.some(({ name }) => name === 'state')
}

/** The sentences of a text that state something. */
function statementsIn(text: string): readonly string[] {
  return text.split(sentenceEnd).filter((one) => one.length <= longestSentence && !one.endsWith('?'))
}

/** The words of the question in the sentence of a text that says the most of them. */
function mostSaidIn(text: string, words: AskedWords): ReadonlySet<number> | undefined {
  const [most] = statementsIn(text)
    .map((one) => words.saidIn(one))
    .toSorted((a, b) => b.size - a.size)
  return most
}

function saysAgain(text: string, said: ReadonlySet<number> | undefined, words: AskedWords): boolean {
  return said !== undefined && said.size > 0 && statementsIn(text).some((one) => !open.test(one) && words.saidIn(one).isSupersetOf(said))
}

/** Tells whether a sentence tells a change of something that an earlier text or the question speaks of too. */
function tellsChange(text: string, earlier: string, words: AskedWords): boolean {
  const telling = statementsIn(text).filter((one) => change.test(one) && !open.test(one))
  if (telling.length === 0) return false
  const known = new Set(contentTerms(earlier, 'en'))
  return telling.some((one) => words.saidIn(one).size > 0 || contentTerms(one, 'en').some((term) => known.has(term)))
}
