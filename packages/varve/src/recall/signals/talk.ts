import { noVector } from '../../index/vectors/vector-codes.ts'
import { windowSize } from '../../index/windows.ts'
import { closeCosine, type SignalInput, type Part } from '../part.ts'

/** The shares of the message, and of those one and two after and before it, by their place in its window. */
const shares = Float64Array.of(1, 0.6, 0.6, 0.3, 0.3)

/** The usual cosine of two messages that follow each other. The exact length of the mixed vector gains nothing over it. */
const usualCosine = 0.2

/**
 * Gives the cosine of the question with a vector mixed from those of the message and its neighbours: the talk there. 0
 * to 1. It comes from the messages' own cosines: cos(Σ mᵢvᵢ) = Σ mᵢcosᵢ / |Σ mᵢvᵢ|. The length is estimated, so that
 * nothing more is stored. Silent without vectors.
 */
export function talk({ windows, cosines }: SignalInput): Part | undefined {
  if (cosines === undefined) return undefined
  const values = new Float32Array(windows.length / windowSize)
  for (let at = 0, first = 0; at < values.length; at += 1, first += windowSize) {
    let dot = 0
    let sum = 0
    let squares = 0
    for (let place = 0; place < shares.length; place += 1) {
      const cosine = cosines[windows[first + place] ?? 0] ?? noVector
      if (cosine === noVector) continue
      const share = shares[place] ?? 0
      dot += share * cosine
      sum += share
      squares += share * share
    }
    const length = Math.sqrt(squares + usualCosine * (sum * sum - squares))
    if (dot > 0) values[at] = Math.min(1, dot / length)
  }
  return {
    name: 'talk',
    values,
    kind: 'about',
    text: (_doc, value) => (value < closeCosine ? 'in talk that touches it' : 'in talk about it'),
  }
}
