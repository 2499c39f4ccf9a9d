/** The inputs that share a scale and a zero point: see quantise in activations.wat. */
export const blockInputs = 64

/** The channels that the multiplication computes at a time. */
export const panelChannels = 4

/** The largest sum of two neighbouring weights of one sign: then four products of 127 stay below 2^15. */
const mostPair = 128

/**
 * Puts weights [inputs, channels] into the multiplication's reading order. For each panel of four channels and each
 * four inputs, these are 16 bytes, channel by channel.
 *
 * `sums` gets minus the sum of each block's weights, panel by panel, block by block, four channels side by side. Throws
 * a RangeError for weights that could overflow 16 bits.
 */
export function packWeights(weights: Uint8Array, inputs: number, channels: number, packed: Int32Array, sums: Int32Array): void {
  // A copy, since the weights in a file are not aligned: a number is four channels of one input.
  const words = new Int32Array(Uint8Array.from(weights).buffer)
  const panels = channels / panelChannels
  let [to, sum, worst] = [0, 0, 0]
  for (let panel = 0; panel < panels; panel += 1) {
    for (let input = 0; input < inputs; input += 4) {
      if (input % blockInputs === 0) sum = (panel * (inputs / blockInputs) + input / blockInputs) * panelChannels
      const at = input * panels + panel
      const a = words[at] ?? 0
      const b = words[at + panels] ?? 0
      const c = words[at + 2 * panels] ?? 0
      const d = words[at + 3 * panels] ?? 0
      for (let shift = 0; shift < 32; shift += 8) {
        const first = byteOf(a, shift)
        const second = byteOf(b, shift)
        const third = byteOf(c, shift)
        const fourth = byteOf(d, shift)
        worst = Math.max(worst, Math.abs(first + second), Math.abs(third + fourth))
        packed[to] = (first & 255) | ((second & 255) << 8) | ((third & 255) << 16) | (fourth << 24)
        to += 1
        const channel = sum + (shift >> 3)
        sums[channel] = (sums[channel] ?? 0) - (first + second + third + fourth)
      }
    }
  }
  if (worst > mostPair)
    throw new RangeError(`Two neighbouring weights sum to ${worst}, over ${mostPair}: this is not a model that scripts/model.ts made`)
}

/** Returns a signed byte of a number. */
function byteOf(word: number, shift: number): number {
  return (word << (24 - shift)) >> 24
}
