/** True to try every fault, false for a bounded sample. Both print their counts. */
export const everyFault = process.env['VARVE_FAULTS'] === 'full'

export function scaled<Value>(sample: Value, full: Value): Value {
  return everyFault ? full : sample
}

/** Prints the one line of a test that counts its faults. */
export function summarise(line: string): void {
  console.log(`faults: ${line}${everyFault ? '' : ' (sample)'}`)
}

export function counted(number: number): string {
  return number.toLocaleString('en')
}
