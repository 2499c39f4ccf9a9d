/** The longest number that is shown, in characters: a longer one may be a card's. */
const longestNumber = 8

/**
 * Tells the shape of a received value: `a string of 4,012 characters`, `an array of 3`. Its content never stands in an
 * error, which goes to logs: it may be a secret in the wrong place.
 */
export function shown(received: unknown): string {
  if (received === undefined || received === null || typeof received === 'boolean') return String(received)
  if (typeof received === 'number') return numberShape(received)
  if (typeof received === 'string') return textShape(received)
  if (typeof received !== 'object') return `a ${typeof received}`
  if (received instanceof Date) return Number.isNaN(received.getTime()) ? 'an invalid Date' : 'a Date'
  return Array.isArray(received) ? `an array of ${figure(received.length)}` : objectShape(received)
}

function numberShape(received: number): string {
  const written = String(received)
  return written.length <= longestNumber ? written : `a number of ${written.length} characters`
}

function textShape(received: string): string {
  if (received === '') return 'an empty string'
  const shape = `string of ${figure(received.length)} ${received.length === 1 ? 'character' : 'characters'}`
  return received.trim() === '' ? `a blank ${shape}` : `a ${shape}`
}

function objectShape(received: object): string {
  const fields = Object.keys(received).length
  return `an object of ${figure(fields)} ${fields === 1 ? 'field' : 'fields'}`
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}
