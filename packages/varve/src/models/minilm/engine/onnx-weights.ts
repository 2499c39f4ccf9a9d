/** A constant of the model's graph: its bytes are a view of the file. */
export interface Constant {
  readonly name: string
  /** TensorProto.DataType of onnx.proto: 1 float, 3 int8. */
  readonly type: number
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
}

/** A field of a protobuf message: a number, or the bytes of a longer value. */
interface Field {
  readonly number: number
  readonly value: number
  readonly bytes: Uint8Array
}

const nothing: Uint8Array = new Uint8Array(0)

/** Reads the constants out of an ONNX file; throws a RangeError when it is cut off or not an ONNX file. Fields as in onnx.proto. */
export function readConstants(file: Uint8Array): ReadonlyMap<string, Constant> {
  const constants = new Map<string, Constant>()
  for (const model of fieldsOf(file)) {
    if (model.number !== 7) continue
    for (const field of fieldsOf(model.bytes)) {
      if (field.number !== 5) continue
      const constant = readConstant(field.bytes)
      constants.set(constant.name, constant)
    }
  }
  if (constants.size === 0) throw new RangeError(`These ${file.length} bytes hold no ONNX model with weights`)
  return constants
}

function readConstant(message: Uint8Array): Constant {
  const shape: number[] = []
  let [name, type, bytes] = ['', 0, nothing]
  for (const field of fieldsOf(message)) {
    if (field.number === 1) shape.push(field.value)
    else if (field.number === 2) type = field.value
    else if (field.number === 8) name = new TextDecoder().decode(field.bytes)
    else if (field.number === 9) bytes = field.bytes
  }
  return { name, type, shape, bytes }
}

/** Walks the fields of a message. Numbers are exact up to 2^53, which sizes and types do not reach. */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      if (at >= message.length || factor > 2 ** 63)
        throw new RangeError(`The ONNX model is damaged: a number at byte ${at} of ${message.length} does not end`)
      const byte = view.getUint8(at)
      at += 1
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const key = varint()
    const [number, wire] = [Math.floor(key / 8), key % 8]
    if (wire === 0) {
      yield { number, value: varint(), bytes: nothing }
      continue
    }
    const size = wire === 2 ? varint() : wire === 5 ? 4 : wire === 1 ? 8 : -1
    if (size < 0 || at + size > message.length)
      throw new RangeError(`The ONNX model is damaged: field ${number} at byte ${at} of ${message.length} is cut off, or no field`)
    yield { number, value: 0, bytes: message.subarray(at, at + size) }
    at += size
  }
}
