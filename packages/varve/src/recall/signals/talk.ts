import { closeCosine, type Ground, type Part } from '../part.ts'

/** How much the messages one and two before and after count, beside the message's own 1. */
const shares = [0.6, 0.3] as const

/** The usual cosine of two messages that follow each other; the exact length of the mixed vector gains nothing over it. */
const usualCosine = 0.2

/**
 * The cosine of the question with a vector mixed from the message's and those around it in its session: what the talk is
 * about there. Made from the messages' own cosines: cos(Σ mᵢvᵢ) = Σ mᵢcosᵢ / |Σ mᵢvᵢ|, where the length is estimated, so that nothing
 * more is stored. 0 to 1. Silent without vectors.
 */
export function talk({ segment, candidates, cosines }: Ground): Part | undefined {
  if (cosines === undefined) return undefined
  const values = new Float32Array(candidates.length)
  const mix = new Mix(cosines)
  for (let at = 0; at < candidates.length; at += 1) {
    const doc = candidates[at] ?? 0
    mix.begin(doc)
    mix.walk(segment.previous, doc)
    mix.walk(segment.next, doc)
    values[at] = mix.cosine
  }
  return { name: 'talk', values, kind: 'about', text: (_doc, value) => (value < closeCosine ? 'in talk that touches it' : 'in talk about it') }
}

class Mix {
  readonly #cosines: Float32Array
  #dot = 0
  #sum = 0
  #squares = 0

  constructor(cosines: Float32Array) {
    this.#cosines = cosines
  }

  get cosine(): number {
    const length = Math.sqrt(this.#squares + usualCosine * (this.#sum * this.#sum - this.#squares))
    return length === 0 ? 0 : Math.min(1, Math.max(0, this.#dot / length))
  }

  begin(doc: number): void {
    this.#dot = 0
    this.#sum = 0
    this.#squares = 0
    this.#add(doc, 1)
  }

  walk(neighbour: Int32Array, from: number): void {
    let doc = neighbour[from] ?? -1
    for (let step = 0; step < shares.length && doc >= 0; step += 1) {
      this.#add(doc, shares[step] ?? 0)
      doc = neighbour[doc] ?? -1
    }
  }

  #add(doc: number, share: number): void {
    const cosine = this.#cosines[doc] ?? -2
    if (cosine < -1) return
    this.#dot += share * cosine
    this.#sum += share
    this.#squares += share * share
  }
}
