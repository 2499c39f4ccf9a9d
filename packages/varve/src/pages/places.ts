/** The longest text that the runtime's own search looks for: a longer one may take it the square of its length. */
const quickLength = 64

/**
 * Returns the first place of a text in another, and the number of places, overlaps included. In linear time (Knuth,
 * Morris and Pratt).
 */
export function placesOf(text: string, sought: string): { readonly first: number | undefined; readonly times: number } {
  const first = sought.length <= quickLength ? text.indexOf(sought) : undefined
  if (first === -1) return { first: undefined, times: 0 }
  let found: number | undefined
  let times = 0
  const back = fallbacks(sought)
  let matched = 0
  for (let at = first ?? 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    while (matched > 0 && (matched === sought.length || sought.charCodeAt(matched) !== sign)) matched = back[matched - 1] ?? 0
    if (sought.charCodeAt(matched) === sign) matched += 1
    if (matched !== sought.length) continue
    found ??= at + 1 - matched
    times += 1
  }
  return { first: found, times }
}

/** Returns for each prefix of a text the length of its longest end that is a prefix too. */
function fallbacks(sought: string): Int32Array {
  const back = new Int32Array(sought.length)
  let matched = 0
  for (let at = 1; at < sought.length; at += 1) {
    while (matched > 0 && sought.charCodeAt(matched) !== sought.charCodeAt(at)) matched = back[matched - 1] ?? 0
    if (sought.charCodeAt(matched) === sought.charCodeAt(at)) matched += 1
    back[at] = matched
  }
  return back
}
