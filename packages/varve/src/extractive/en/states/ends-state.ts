import type { SaidState } from '../../../models/writer.ts'
import { stem } from '../../../index/stem.ts'
import { wordsOf } from '../../../index/words.ts'
import { kindsOf } from './values.ts'
import { fillers, sameAttribute } from './words.ts'

/** Words in every talk: two statements that share these alone are of different things. */
const common = new Set(
  (
    'i me my we us our you your he she it they them his her their a an the this that these those and or but so if then than as at by for from in ' +
    'into of off on onto out over to up down with without about after before since until till is am are was were be been being do does did ' +
    'done have has had having will would can could should may might must not no yes ok okay please thanks now just also too very really ' +
    'still already again here there when where which who what why how all both each every some any much many more most less least one two ' +
    'get got getting go goes going went gone make makes made take takes took put let want need like know think say said tell told give gave ' +
    'use used using new old first last next good bad big little long short day days week weeks month months year years time today tomorrow ' +
    'thing things way lot bit people work help write draft keep set only even ever never always don t s ve m re ll d x per'
  ).split(' '),
)
const cue = new RegExp(
  String.raw`\b(?:now|new|moved|moving|switched|changed|swapped|traded|replaced|replaces|instead|no longer|any ?more|since|from now on|these days|bumped|` +
    String.raw`upgraded|raised|lowered|went up|gone up|dropped|increased|decreased|updated?|correction|actually|took over|taken over|joined|became|become|renamed|rebranded|` +
    String.raw`pushed|postponed|rescheduled|brought forward|put me on|put us on|finally|went|turned|improved|reached|is up|as of|latest|recently|wrong|mixed|misread|` +
    String.raw`nonsense|in fact|turns out|rather|got|bought|hired|settled|decided|left|sold|started|began|picked|chose|has become|grown|adjusted|extended)\b`,
  'iu',
)

/**
 * Tells whether a later statement ends an earlier one that was said in other words. Both must have a value of the same
 * kind, and speak of the same attribute. Words of a change make the second easier.
 */
export function endsState(later: SaidState, earlier: SaidState): boolean {
  const kinds = kindsOf(earlier.object)
  const shared = [...kindsOf(later.object)].filter((kind) => kinds.has(kind))
  const isThing = shared.some((kind) =>
    / |^(?:database|cache|cloud|editor|system|framework|bundler|formatter|diet|milk|car|phone|laptop|chat|tracker)$/u.test(kind),
  )
  const [after, before] = [aboutOf(later), aboutOf(earlier)]
  const common = [...after].filter((word) => before.has(word)).length
  if (shared.length === 0 && common < 2) return false
  if (cue.test(later.text)) return isThing || common >= 1
  const least = Math.min(after.size, before.size)
  return common >= 2 && common >= 0.6 * least
}

/** The stems of the words around a value; words of one attribute count as one. */
function aboutOf({ text, object, predicate }: SaidState): ReadonlySet<string> {
  const own = new Set(wordsOf(object).map(({ text: word }) => word))
  const words = wordsOf(`${predicate} ${text}`).filter(
    ({ text: word }) => !own.has(word) && !common.has(word) && !fillers.has(word) && !/^\d/u.test(word),
  )
  return new Set(
    words.map((word) => {
      const group = sameAttribute.findIndex((some) => some.has(word.text))
      return group < 0 ? stem(word, 'en') : `#${group}`
    }),
  )
}
