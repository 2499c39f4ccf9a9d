/** The half-open range of a value in a JSON text. */
export interface JsonPlace {
  readonly from: number
  readonly to: number
}

const blank = /[\t\n\r ]*/y
const plainValue = /[^\t\n\r ,\]}]*/y
const notable = /["[\]{}]/g

/**
 * Finds the place of a member's value in an object. Of a key that stands twice the last counts, as in JSON.parse.
 * The text must be JSON that JSON.parse has read.
 */
export function memberPlace(text: string, object: JsonPlace, key: string): JsonPlace | undefined {
  let found: JsonPlace | undefined
  let at = after(blank, text, object.from + 1)
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at)
    const value = valueAt(text, after(blank, text, after(blank, text, keyEnd) + 1))
    if (JSON.parse(text.slice(at, keyEnd)) === key) found = value
    at = next(text, value.to)
  }
  return found
}

/** Finds the places of a list's elements. The text must be JSON that JSON.parse has read. */
export function elementPlaces(text: string, list: JsonPlace): JsonPlace[] {
  const places: JsonPlace[] = []
  for (let at = after(blank, text, list.from + 1); text[at] !== ']' && at < list.to;) {
    const value = valueAt(text, at)
    places.push(value)
    at = next(text, value.to)
  }
  return places
}

/** Gives the place of the value at the top of a JSON text. */
export function topPlace(text: string): JsonPlace {
  return valueAt(text, after(blank, text, 0))
}

/** Gives the place of the next value behind a comma, or of the closing bracket. */
function next(text: string, valueEnd: number): number {
  const at = after(blank, text, valueEnd)
  return text[at] === ',' ? after(blank, text, at + 1) : at
}

function valueAt(text: string, from: number): JsonPlace {
  const sign = text[from]
  if (sign === '"') return { from, to: stringEnd(text, from) }
  if (sign !== '{' && sign !== '[') return { from, to: after(plainValue, text, from) }
  let depth = 0
  notable.lastIndex = from
  for (let match = notable.exec(text); match !== null; match = notable.exec(text)) {
    const [found] = match
    if (found === '"') notable.lastIndex = stringEnd(text, match.index)
    else depth += found === '{' || found === '[' ? 1 : -1
    if (depth === 0) return { from, to: notable.lastIndex }
  }
  return { from, to: text.length }
}

/** Gives the end of a string that begins here. A quotation mark behind an odd number of backslashes does not end it. */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

function after(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.test(text)
  return Math.max(from, pattern.lastIndex)
}
