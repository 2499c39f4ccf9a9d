import { wordSet, regex } from '../../word-lists.ts'
import { relations } from './words.ts'
import { loose, type Said } from '../../facts/said.ts'

/** Last words of an object that was cut short, and first words of one that is no thing. */
const cutShort = regex('iu')`(?:^| )(?:and|or|but|the|an?|to|of|for|with|in|at|by|from|which|who|because|so|my|your|our|his|her|their|
  is|are|got|beginning|starting|to understand)$|^(?:be|indeed|following|which|whether|because|if|such|that|(?:handled|estimated|done|
  designed) \p{L}+) `
/** Predicates that name no attribute: sums, code, the head of a sentence. */
const noAttribute = regex('iu')`^(?:the|an?|this|that|these|what|how|if|\d+ [cmk]?m|favou?rite (?:one|part|thing|bit))(?: |$)|
  (?: the|comes out to| is \p{L}{3,}ed)$|\b(?:probability|equation|triangles?|angle|variable|array|loop)$`
/** Deeds and moods that everybody likes, and that tell nothing of a person. */
const ofAnybody = regex('iu')`^(?:to )?(?:be|being|have|having|get|getting|see|seeing|hear|hearing|know|knowing|feel|feeling|find|finding|
  make|making (?:people|others|everyone|memories)|help|helping|discover|discovering|sinking|such|theme|connecting|sharing|giving)(?: |$)`
const ofMood = /^(?:decided|prefers|likes|dislikes|family|kids)/u
const idle = wordSet('well fine good great simple clear reply wait stay leave go try start ask motivation better')
/** `I revised it on 12 June` is no state. */
const dated = /^(?:\d{1,2} )?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)\p{L}* \d|^\d{1,2} \p{Lu}/iu
const saying = /^(?:sometimes|staying|being|life|everyone|everything|nothing|failure|success|no matter|it'?s|there'?s) /iu
const oneKin = new RegExp(`^(?:(?:my|our) )?(?:${relations.join('|')})$`, 'iu')

/** Tells whether a fact has an object and an attribute that say something when they stand alone. */
export function isWorthKeeping({ says, subject = '', predicate, object, confidence }: Said): boolean {
  if (confidence === loose) return true
  if (says !== 'is')
    return predicate !== '*' || !(/^(?:\d\S*$|two |three |I |after |before |everything|most )/iu.test(object) || oneKin.test(object))
  if (subject === '' && predicate === 'is on' && dated.test(object)) return false
  if (predicate === 'asked to remember') return !saying.test(object)
  if (
    cutShort.test(object) ||
    noAttribute.test(predicate) ||
    (ofMood.test(predicate) && idle.has(object.toLowerCase())) ||
    /^\d+ ?% \p{L}+$/u.test(object)
  )
    return false
  return !/^(?:dis)?likes$/u.test(predicate) || !ofAnybody.test(object)
}
