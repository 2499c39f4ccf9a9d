import { normal, seeded } from '../../shared/random.ts'

/**
 * Cosines of the made-up vectors with a question's: normal with this mean and deviation. Half are over the 0.1 that
 * makes a message a candidate, and some 18 % over 0.2. On LoCoMo, with real vectors, a tenth to a quarter are over 0.2.
 */
const meanCosine = 0.1
const deviation = 0.1

/**
 * Unit vectors instead of the model's, which would take half an hour for 100,000 messages.
 *
 * Each has a random direction, plus a share of the real questions' common direction. So their cosines are spread as
 * real ones are.
 */
export class MadeUpVectors {
  readonly #random = seeded(0x7ec7)
  readonly #common: Float32Array
  /** The mean cosine of a question with the common direction. */
  readonly #nearness: number

  constructor(questions: readonly Float32Array[]) {
    const sum = new Float32Array(questions[0]?.length ?? 0)
    for (const question of questions) for (const [at, component] of question.entries()) sum[at] = (sum[at] ?? 0) + component
    this.#common = unit(sum)
    this.#nearness = questions.reduce((total, question) => total + dot(question, this.#common), 0) / questions.length
  }

  next(): Float32Array {
    const share = Math.max(-0.9, Math.min(0.9, (meanCosine + deviation * normal(this.#random)) / this.#nearness))
    const other = unit(Float32Array.from(this.#common, () => normal(this.#random)))
    const rest = Math.sqrt(1 - share * share)
    return unit(other.map((component, at) => share * (this.#common[at] ?? 0) + rest * component))
  }
}

export function dot(a: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (other[at] ?? 0)
  return sum
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return vector.map((component) => component / length)
}
