// The few messages of ONNX's protobuf schema (onnx.proto) that a graph needs, with the schema's field numbers.
import { bytes, float, integer, type Message } from './protobuf.ts'

/** TensorProto.DataType */
export const dataType = { float: 1, int8: 3, int32: 6, int64: 7 } as const

const fused = 'com.microsoft'

/** A number with a decimal point is a float: the operators used here have no whole float. */
export type Attributes = Readonly<Record<string, number | readonly number[]>>

/** A graph that grows by one operator or constant at a time. */
export class OnnxGraph {
  readonly #nodes: Buffer[] = []
  readonly #constants: Buffer[] = []

  /** Adds an operator with one output, and returns the output's name. */
  add(operator: string, inputs: readonly string[], output: string, attributes: Attributes = {}): string {
    this.#nodes.push(bytes(1, node(operator, inputs, output, attributes, '')))
    return output
  }

  /** Adds an operator that only onnxruntime has. */
  addFused(operator: string, inputs: readonly string[], output: string, attributes: Attributes = {}): string {
    this.#nodes.push(bytes(1, node(operator, inputs, output, attributes, fused)))
    return output
  }

  /** Adds a constant, and returns its name. */
  constant(name: string, shape: readonly number[], data: Float32Array | Int8Array | BigInt64Array): string {
    const type = data instanceof Float32Array ? dataType.float : data instanceof Int8Array ? dataType.int8 : dataType.int64
    const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    this.#constants.push(bytes(5, [...shape.map((size) => integer(1, size)), integer(2, type), bytes(8, name), bytes(9, raw)]))
    return name
  }

  /** Returns the bytes of the file. Varying sizes of inputs and outputs are given by name. */
  model(name: string, inputs: readonly Message[], outputs: readonly Message[]): Buffer {
    const graph = [
      ...this.#nodes,
      bytes(2, name),
      ...this.#constants,
      ...inputs.map((input) => bytes(11, input)),
      ...outputs.map((output) => bytes(12, output)),
    ]
    const sets = [bytes(8, [bytes(1, ''), integer(2, 17)]), bytes(8, [bytes(1, fused), integer(2, 1)])]
    return Buffer.concat([integer(1, 8), bytes(2, 'varve'), bytes(7, graph), ...sets])
  }
}

/** ValueInfoProto */
export function value(name: string, type: number, shape: readonly (string | number)[]): Message {
  const sizes = shape.map((size) => bytes(1, [typeof size === 'string' ? bytes(2, size) : integer(1, size)]))
  return [bytes(1, name), bytes(2, [bytes(1, [integer(1, type), bytes(2, sizes)])])]
}

function node(operator: string, inputs: readonly string[], output: string, attributes: Attributes, domain: string): Message {
  return [
    ...inputs.map((input) => bytes(1, input)),
    bytes(2, output),
    bytes(3, output),
    bytes(4, operator),
    ...Object.entries(attributes).map(([key, value]) => bytes(5, attribute(key, value))),
    ...(domain === '' ? [] : [bytes(7, domain)]),
  ]
}

/** Makes an AttributeProto, with its type (1 float, 2 integer, 7 integers) last. */
function attribute(key: string, value: number | readonly number[]): Message {
  if (typeof value !== 'number') return [bytes(1, key), ...value.map((one) => integer(8, one)), integer(20, 7)]
  return Number.isInteger(value) ? [bytes(1, key), integer(3, value), integer(20, 2)] : [bytes(1, key), float(2, value), integer(20, 1)]
}
