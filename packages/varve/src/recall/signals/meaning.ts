import { type Ground, type Part, valuesOf } from '../part.ts'

/**
 * The cosine of the message's vector with the question's (of a long message, its best passage's), 0 when it is negative.
 * Silent without vectors. Words alone miss what was said otherwise; this alone misses names and numbers.
 */
export function meaning({ candidates, cosines }: Ground): Part | undefined {
  if (cosines === undefined) return undefined
  const values = valuesOf(candidates, (doc) => Math.max(0, cosines[doc] ?? 0))
  return { name: 'meaning', values, kind: 'about', text: () => 'is close in meaning' }
}
