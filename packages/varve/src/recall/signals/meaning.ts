import { closeCosine, type SignalInput, type Part } from '../part.ts'

/**
 * Gives the cosine of the message's vector with the question's; 0 when it is negative. A long message has that of its
 * best passage. Silent without vectors. Words alone miss a paraphrase; this alone misses names and numbers.
 */
export function meaning({ candidates, cosines }: SignalInput): Part | undefined {
  if (cosines === undefined) return undefined
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = Math.max(0, cosines[candidates[at] ?? 0] ?? 0)
  return {
    name: 'meaning',
    values,
    kind: 'about',
    text: (_doc, value) => (value < closeCosine ? 'is somewhat alike in meaning' : 'is close in meaning'),
  }
}
