/** Signs that a terminal obeys, or that nobody sees. In JSON they stand within strings alone. */
const hidden = /[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

function asEscapes(sign: string): string {
  return Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}

/** Writes hidden signs of JSON as escapes: it means the same, and can be shown. */
export function plainJson(json: string): string {
  return json.replace(hidden, asEscapes)
}
