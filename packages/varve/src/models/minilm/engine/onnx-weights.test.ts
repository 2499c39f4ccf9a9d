import { expect, test } from 'vitest'
import { readConstants } from './onnx-weights.ts'

/** A field of a protobuf message that holds bytes. */
const field = (number: number, bytes: readonly number[]) => [number * 8 + 2, bytes.length, ...bytes]
const text = (value: string) => [...Buffer.from(value)]

/** Tensor `w` of two bytes, 1 by 2, beside fields that do not matter. */
const tensor = [8, 1, 8, 2, 16, 3, ...field(8, text('w')), ...field(9, [5, 255])]
const model = Uint8Array.from([8, 8, ...field(2, text('maker')), ...field(7, [...field(2, text('graph')), ...field(5, tensor)])])

test('finds the constants of a graph', () => {
  expect([...readConstants(model).values()]).toEqual([{ name: 'w', type: 3, shape: [1, 2], bytes: Uint8Array.of(5, 255) }])
})

test('throws a RangeError wherever the file ends too early', () => {
  for (let length = 0; length < model.length; length += 1)
    expect(() => readConstants(model.subarray(0, length)), `${length} bytes`).toThrow(RangeError)
})

test('refuses what is no protobuf', () => {
  expect(() => readConstants(Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))).toThrow('does not end')
  expect(() => readConstants(Uint8Array.of(59, 1))).toThrow('no field')
  expect(() => readConstants(Buffer.from('version https://git-lfs.github.com/spec/v1'))).toThrow(RangeError)
})
