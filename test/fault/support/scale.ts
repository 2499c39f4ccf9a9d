/** Whether every fault is tried, or a bounded sample of them. Both print what they did. */
export const everyFault = process.env['VARVE_FAULTS'] === 'full'

export function scaled<Value>(sample: Value, full: Value): Value {
  return everyFault ? full : sample
}

/** The one line of a test that says what was tried. */
export function summarise(line: string): void {
  console.log(`faults: ${line}${everyFault ? '' : ' (sample)'}`)
}

export function counted(number: number): string {
  return number.toLocaleString('en')
}
