import { ModelFailed } from '../errors/model-failed.ts'

/** What is expected of a model's answer. */
export interface ExpectedVectors {
  readonly model: string
  readonly texts: number
  /** Undefined as long as nobody knows it. */
  readonly dimension: number | undefined
}

/**
 * What a model returned, checked and brought to length 1: as many vectors as texts, each of the same dimension as ever, each
 * component a finite number, none all zero. ModelFailed otherwise: retryable, save for another dimension, which is another model.
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
  // Divided by the largest first: the squares of very large or very small components leave the range of numbers.
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
