import type { Arena } from './arena.ts'
import type { Constant } from './onnx-weights.ts'
import { blockInputs, packWeights } from './pack-weights.ts'
import { type LayerWeights, type Linear, type Normalisation, type Weights, wide, tokenWidth } from './weights.ts'

const layerCount = 6

/** The queries are divided by the root of a head's width before they meet the keys. This is done once, to the weights. */
const queryFactor = 1 / Math.sqrt(32)

/** A step of the plan: it writes at an address once there is a memory. */
type Write = (memory: ArrayBuffer) => void

/** Plans the place of each of the model's constants, and writes them there once the memory is made. */
export class WeightsPlan {
  readonly #constants: ReadonlyMap<string, Constant>
  readonly #arena: Arena
  readonly #writes: Write[] = []
  readonly weights: Weights

  constructor(constants: ReadonlyMap<string, Constant>, arena: Arena) {
    this.#constants = constants
    this.#arena = arena
    const [vocabulary = 0] = this.#find('words').shape
    const [places = 0] = this.#find('positions').shape
    this.weights = {
      vocabulary,
      places,
      words: this.#copy('words', vocabulary * tokenWidth),
      wordScales: this.#copy('words.scale', vocabulary * 4),
      positions: this.#copy('positions', places * tokenWidth * 4),
      embedded: this.#normalisation('embeddings'),
      layers: Array.from({ length: layerCount }, (_, layer) => this.#layer(`layer${layer}`)),
    }
  }

  write(memory: ArrayBuffer): void {
    for (const write of this.#writes) write(memory)
  }

  #layer(name: string): LayerWeights {
    return {
      attention: this.#linear([`${name}.query`, `${name}.key`, `${name}.value`], `${name}.attention.bias`, tokenWidth, tokenWidth),
      project: this.#linear([`${name}.project`], `${name}.project.bias`, tokenWidth, tokenWidth),
      projected: this.#normalisation(`${name}.project`),
      widen: this.#linear([`${name}.widen`], `${name}.widen.bias`, tokenWidth, wide),
      narrow: this.#linear([`${name}.narrow`], `${name}.narrow.bias`, wide, tokenWidth),
      narrowed: this.#normalisation(`${name}.narrow`),
    }
  }

  #normalisation(name: string): Normalisation {
    return { gamma: this.#copy(`${name}.gamma`, tokenWidth * 4), beta: this.#copy(`${name}.beta`, tokenWidth * 4) }
  }

  /** Joins weights that read the same inputs into one layer: their channels follow each other. */
  #linear(names: readonly string[], bias: string, inputs: number, channels: number): Linear {
    const sumsBytes = (channels * inputs * 4) / blockInputs
    const weights = this.#arena.take(names.length * channels * inputs)
    const sums = this.#arena.take(names.length * sumsBytes)
    const scales = this.#arena.take(names.length * channels * 4)
    const biases = this.#copy(bias, names.length * channels * 4)
    for (const [place, name] of names.entries()) {
      const from = this.#find(`${name}.weight`, channels * inputs).bytes
      const scale = this.#find(`${name}.scale`, channels * 4).bytes
      this.#writes.push((memory) => {
        const packed = new Int32Array(memory, weights + place * channels * inputs, (channels * inputs) / 4)
        packWeights(from, inputs, channels, packed, new Int32Array(memory, sums + place * sumsBytes, sumsBytes / 4))
        new Uint8Array(memory).set(scale, scales + place * channels * 4)
        if (name.endsWith('.query'))
          for (const address of [scales, biases]) multiplyAll(new Float32Array(memory, address, channels), queryFactor)
      })
    }
    return { inputs, channels: names.length * channels, weights, sums, scales, biases }
  }

  #copy(name: string, size: number): number {
    const { bytes } = this.#find(name, size)
    const address = this.#arena.take(size)
    this.#writes.push((memory) => new Uint8Array(memory).set(bytes, address))
    return address
  }

  #find(name: string, size?: number): Constant {
    const constant = this.#constants.get(name)
    if (constant === undefined) throw new RangeError(`The model has no constant ${name}: it is not one that scripts/model.ts made`)
    if (size !== undefined && constant.bytes.length !== size)
      throw new RangeError(`The model's ${name} has ${constant.bytes.length} bytes, not ${size}`)
    return constant
  }
}

function multiplyAll(numbers: Float32Array, factor: number): void {
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = (numbers[at] ?? 0) * factor
}
