import { contentTerms } from '../index/content-terms.ts'
import type { AskedWords } from './asked-words.ts'
import type { MessageHit } from './hit.ts'
import type { NumberedHit } from './message-hit.ts'
import { isUnmoved, newestFirst, saidBy } from './said-again.ts'

/** Only so many of the best hits are looked at, so near to the best one in score, and so short. Lengths are in UTF-16 code units. */
const mostLooked = 3
const leastScore = 0.5
const [longestText, longestSentence] = [250, 140]

const own = /\b(?:i|i'm|my|mine|me|we|we're|our|ours|us)\b/iu
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
    String.raw`colleague|for (?:a|the next|one|two|three) (?:day|week|few)|this week|today|also|too|still|wait)\b`,
  'iu',
)

/**
 * Puts a later statement first that tells a change in its own words, where the best hit is an earlier one by the same
 * speaker, and both speak of the same. For questions about the asker's own things in the present. English.
 */
export function changesFirst(
  found: readonly NumberedHit[],
  words: AskedWords,
  query: string,
  isPresent: () => boolean,
): readonly NumberedHit[] {
  const [first] = found
  if (first === undefined || !isPlain(first.hit) || !own.test(query)) return found
  const later = found.slice(1, mostLooked).filter(({ hit }) => isRival(hit, first.hit) && tellsChange(hit.text, first.hit.text, words))
  const [newest] = later.toSorted((a, b) => b.hit.at - a.hit.at)
  return newest === undefined || !isPresent() ? found : newestFirst(found, [0, found.indexOf(newest)])
}

function isRival(hit: MessageHit, first: MessageHit): boolean {
  return isPlain(hit) && hit.score >= leastScore * first.score && hit.at > first.at && saidBy(hit) === saidBy(first)
}

function isPlain(hit: MessageHit): boolean {
  return hit.role === 'user' && hit.text.length <= longestText && isUnmoved(hit)
}

/** Tells whether a sentence tells a change of something that an earlier text or the question speaks of too. */
function tellsChange(text: string, earlier: string, words: AskedWords): boolean {
  const telling = text.split(sentenceEnd).filter((one) => one.length <= longestSentence && change.test(one) && !open.test(one))
  if (telling.length === 0) return false
  const known = new Set(contentTerms(earlier, 'en'))
  return telling.some((one) => words.saidIn(one).size > 0 || contentTerms(one, 'en').some((term) => known.has(term)))
}
