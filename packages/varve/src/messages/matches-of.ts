/**
 * Finds all matches of a global pattern. `String.matchAll` makes a new RegExp at each call: with hundreds of patterns a text,
 * that costs more than their searches.
 */
export function matchesOf(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    matches.push(match)
    // Between the two halves of a pair of surrogates, a pattern by code points would find the same empty match again.
    if (match[0] === '') pattern.lastIndex += pattern.unicode && (text.codePointAt(match.index) ?? 0) > 0xff_ff ? 2 : 1
  }
  return matches
}
