import type { SaidState } from '../../../models/writer.ts'
import { stem } from '../../../index/stem.ts'
import { wordsOf } from '../../../index/words.ts'
import { changeCue, commonWords, sameAttribute } from './attributes.ts'
import { kindsOf } from './values.ts'
import { fillers } from './words.ts'

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
  if (changeCue.test(later.text)) return isThing || common >= 1
  const least = Math.min(after.size, before.size)
  return common >= 2 && common >= 0.6 * least
}

/** The stems of the words around a value; words of one attribute count as one. */
function aboutOf({ text, object, predicate }: SaidState): ReadonlySet<string> {
  const own = new Set(wordsOf(object).map(({ text: word }) => word))
  const words = wordsOf(`${predicate} ${text}`).filter(
    ({ text: word }) => !own.has(word) && !commonWords.has(word) && !fillers.has(word) && !/^\d/u.test(word),
  )
  return new Set(
    words.map((word) => {
      const group = sameAttribute.findIndex((some) => some.has(word.text))
      return group < 0 ? stem(word, 'en') : `#${group}`
    }),
  )
}
