/** The number of memory places that one call of the kernel reads. */
export const lanes = 4

/**
 * Computes dot products of the int8 codes at `query` with `rows` rows from each of the addresses a, b, c and d.
 *
 * The results are 32-bit numbers from `out` on: the four of the first rows, of the second, and so on. Rows lie one
 * after another, `rowBytes` each, a multiple of 16; the query has as many. `out` is a multiple of 4. All addresses are
 * bytes.
 */
export type Scan = (query: number, rowBytes: number, rows: number, a: number, b: number, c: number, d: number, out: number) => void

/** Does the work of scan.wat in plain TypeScript: the oracle of its tests, and its substitute without SIMD. */
export function scanTwin(memory: ArrayBuffer, ...[query, rowBytes, rows, a, b, c, d, out]: Parameters<Scan>): void {
  const codes = new Int8Array(memory)
  const dots = new Int32Array(memory, out, rows * lanes)
  for (let row = 0, at = 0; row < rows; row += 1, at += rowBytes) {
    let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0]
    for (let step = 0; step < rowBytes; step += 1) {
      const factor = codes[query + step] ?? 0
      sumA += factor * (codes[a + at + step] ?? 0)
      sumB += factor * (codes[b + at + step] ?? 0)
      sumC += factor * (codes[c + at + step] ?? 0)
      sumD += factor * (codes[d + at + step] ?? 0)
    }
    dots[row * lanes] = sumA
    dots[row * lanes + 1] = sumB
    dots[row * lanes + 2] = sumC
    dots[row * lanes + 3] = sumD
  }
}
