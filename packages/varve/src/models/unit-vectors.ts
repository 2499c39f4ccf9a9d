import { ModelFailed } from '../errors/model-failed.ts'

/** The expected shape of a model's answer. */
export interface ExpectedVectors {
  readonly model: string
  readonly texts: number
  /** Undefined until the dimension is known. */
  readonly dimension: number | undefined
}

/**
 * Checks a model's vectors and scales them to length 1. It expects as many as texts, of the known dimension, with
 * finite components, none all zero.
 *
 * Throws ModelFailed otherwise. It is retryable, except for another dimension, which means another model.
 */
export function unitVectors(received: unknown, expected: ExpectedVectors): Float32Array[] {
  if (!Array.isArray(received)) throw nonsense(expected, `it returned ${kindOf(received)} in place of a list of vectors`)
  if (received.length !== expected.texts) throw nonsense(expected, `it returned ${received.length} vectors for ${expected.texts} texts`)
  let dimension = expected.dimension
  return received.map((components: unknown, index) => {
    const vector = unitVector(components, index, expected)
    dimension ??= vector.length
    if (vector.length !== dimension) throw anotherDimension(expected.model, vector.length, dimension)
    return vector
  })
}

function unitVector(components: unknown, index: number, expected: ExpectedVectors): Float32Array {
  if (!Array.isArray(components) && !(components instanceof Float32Array))
    throw nonsense(expected, `vector ${index} is ${kindOf(components)}`)
  if (components.length === 0) throw nonsense(expected, `vector ${index} is empty`)
  let largest = 0
  for (let at = 0; at < components.length; at += 1) {
    const component: unknown = components[at]
    if (typeof component !== 'number' || !Number.isFinite(component))
      throw nonsense(expected, `component ${at} of vector ${index} is ${shown(component)}`)
    largest = Math.max(largest, Math.abs(component))
  }
  if (largest === 0) throw nonsense(expected, `vector ${index} is all zero`)
  // Divides by the largest first: the squares of very large or very small components leave the range of numbers.
  let squares = 0
  for (let at = 0; at < components.length; at += 1) squares += (Number(components[at]) / largest) ** 2
  const length = Math.sqrt(squares)
  const vector = new Float32Array(components.length)
  for (let at = 0; at < vector.length; at += 1) vector[at] = Number(components[at]) / largest / length
  return vector
}

function nonsense({ model }: ExpectedVectors, reason: string): ModelFailed {
  return new ModelFailed({ model, reason, isRetryable: true })
}

function anotherDimension(model: string, received: number, known: number): ModelFailed {
  const reason =
    `it returned a vector of ${received} components where it has ${known}: another model answers under its name. Name the model ` +
    'that made the vectors, or have them made anew'
  return new ModelFailed({ model, reason, isRetryable: false })
}

function shown(component: unknown): string {
  return typeof component === 'number' || component === null || component === undefined ? String(component) : kindOf(component)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return value === undefined ? 'nothing' : `of type ${typeof value}`
}
