import { wordSet, regex } from '../../word-lists.ts'
import { relations } from './words.ts'
import { loose, type Said } from '../../facts/said.ts'

/** Last words of an object that was cut short, and first words of one that is no thing. */
const cutShort = regex('iu')`(?:^| )(?:and|or|but|the|an?|to|of|for|with|in|at|by|from|about|into|onto|than|as|if|when|which|who|because|
  so|not|very|really|my|your|our|his|her|their|is|are|was|were|be|been|have|has|had|got|beginning|starting|to understand)$|
  ^(?:indeed|following|which|whether|because|if|such|that|than|of|as|like)(?: |$)`
/** First words of a deed, where a thing is told. */
const deed = regex('iu')`^(?:to|be|being|been|is|are|was|were|has|had|do|does|did|get|gets|got|goes|went|going|trying|looking|booked|kept|
  (?:handled|estimated|done|designed) \p{L}+)(?: |$)`
/** A word of another clause in an object: `furniture that looks great`. */
const otherClause = regex(
  'iu',
)`(?:^| )(?:i(?= )|i'm|i've|i'd|i'll|we|we're|we've|you|you're|they|they're|it|it's|he|he's|she|she's|that|that's|
  there's|which|who|whose|because|if|when|while|although|though|like an?|and (?:still|also|now|then))(?= |$)`
/** Words that point at something outside of the object, and counts of it: `challenge myself`, `a few of them`. */
const pointing = regex('iu')`\b(?:myself|himself|herself|itself|ourselves|yourself|themselves|one of my|of (?:them|these|those|it|which))\b|
  ^(?:one|ones|some|many|most|few|several|both|all)$`
/** Predicates whose objects are deeds or statements in the speaker's words. */
const inWords = /^(?:plans to|asked to remember|decided .+)$/u
const ofDeeds = /^(?:(?:dis)?likes|prefers|wants)$/u
/** A time that says nothing on another day. */
const passing = /^(?:(?:next|this|last) (?:week|month|year|weekend|time)|today|tomorrow|tonight|yesterday|soon|later|now)$/iu
/** Predicates that name no attribute: sums, code, the head of a sentence. */
const noAttribute = regex(
  'iu',
)`^(?:the|an?|this|that|these|what|how|if|(?:other|next|same)(?= \p{L}+$)|\d+ [cmk]?m|favou?rite (?:one|part|thing|
  bit))(?: |$)|(?:^| )(?:i|i've|i'm|it|we|they|he|she|this|which|who|or|like|your|our)(?: |$)|
  (?: the|comes out to| (?:has|have) gone(?: \p{L}+)*| is \p{L}{3,}ed)$|\b(?:probability|equation|triangles?|angle|variable|array|loop)$`
/** Deeds and moods that everybody likes, and that tell nothing of a person. */
const ofAnybody = regex('iu')`^(?:to )?(?:be|being|have|having|get|getting|see|seeing|hear|hearing|know|knowing|feel|feeling|find|finding|
  make|making (?:people|others|everyone|memories)|help|helping|discover|discovering|sinking|such|theme|connecting|sharing|giving)(?: |$)`
const ofMood = /^(?:decided|prefers|likes|dislikes|family|kids)/u
const idle = wordSet('well fine good great simple clear reply wait stay leave go try start ask motivation better')
/** `I revised it on 12 June` is no state. */
const dated = /^(?:\d{1,2} )?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)\p{L}* \d|^\d{1,2} \p{Lu}/iu
const saying = regex('iu')`^(?:sometimes|staying|being|life|everyone|everything|nothing|failure|success|no matter|it'?s|there'?s) |
  \b(?:matters?|counts|is (?:key|everything|important|all about))\b`
/** Deeds of one day, and the day: `yesterday I decided to take a walk`. */
const ofADay = /^(?:go|take|make|try|grab|check|watch|visit|challenge|spend|put|treat)\b/u
const thatDay = /^(?:yesterday|today|tonight|(?:last|this) (?:night|morning|afternoon|evening))/iu
/** `We decided on three components`: which ones, the talk tells. */
const counted = /^(?:two|three|four|five|several|some) /u
const oneKin = new RegExp(`^(?:(?:my|our) )?(?:${relations.join('|')})$`, 'iu')

/** Tells whether a quotation or a bracket is not closed. */
function isOpen(text: string): boolean {
  const count = (sign: string): number => text.split(sign).length - 1
  return count('"') % 2 === 1 || count('(') !== count(')') || count('“') !== count('”')
}

/** Tells whether a fact has an object and an attribute that say something when they stand alone. */
export function isWorthKeeping({ says, subject = '', predicate, object, confidence, when = '' }: Said & { when?: string }): boolean {
  if (confidence === loose) return true
  if (says !== 'is')
    return (
      !/\b(?:any|some|every)thing\b/iu.test(object) &&
      (predicate !== '*' || !(/^(?:\d\S*$|two |three |I |after |before |even |everything|most )/iu.test(object) || oneKin.test(object)))
    )
  if (subject === '' && /^(?:is on|went with|started on|chose|decided on|got)$/u.test(predicate) && dated.test(object)) return false
  if (predicate === 'decided on' && counted.test(object)) return false
  if (predicate === 'decided to' && thatDay.test(when) && ofADay.test(object)) return false
  if (predicate === 'asked to remember') return !saying.test(object)
  if (
    cutShort.test(object) ||
    passing.test(object) ||
    pointing.test(object) ||
    (!inWords.test(predicate) && ((deed.test(object) && !ofDeeds.test(predicate)) || otherClause.test(object))) ||
    isOpen(object) ||
    noAttribute.test(predicate) ||
    (ofMood.test(predicate) && idle.has(object.toLowerCase())) ||
    /^\d+ ?% \p{L}+$/u.test(object)
  )
    return false
  return !/^(?:dis)?likes$/u.test(predicate) || !ofAnybody.test(object)
}
