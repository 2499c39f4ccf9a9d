/** The longest number that is shown, in characters: a longer one may be a card's. */
const longestNumber = 8

/**
 * Tells the shape of a received value: `a string of 4,012 characters`, `an array of 3`. Its content never stands in an
 * error, which goes to logs: it may be a secret in the wrong place.
 */
export function shown(received: unknown): string {
  if (received === undefined || received === null || typeof received === 'boolean') return String(received)
  if (typeof received === 'number') {
    const written = String(received)
    return written.length <= longestNumber ? written : counted('a number', written, 'character')
  }
  if (typeof received === 'string')
    return received === '' ? 'an empty string' : counted(received.trim() === '' ? 'a blank string' : 'a string', received, 'character')
  if (typeof received !== 'object') return `a ${typeof received}`
  if (received instanceof Date) return Number.isNaN(received.getTime()) ? 'an invalid Date' : 'a Date'
  return Array.isArray(received) ? `an array of ${figure(received.length)}` : counted('an object', Object.keys(received), 'field')
}

function counted(what: string, { length }: { readonly length: number }, unit: string): string {
  return `${what} of ${figure(length)} ${unit}${length === 1 ? '' : 's'}`
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}
