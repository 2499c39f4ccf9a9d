/** The word with which a model marks the end of a passing state, and the words by which people say it. */
const words = [
  ...['only', 'just'],
  // German, French, Spanish.
  ...['nur', 'bloß', 'seulement', 'uniquement', 'juste', 'solo', 'sólo', 'solamente'],
].join('|')

const before = new RegExp(`^\\s{0,9}(?:${words})\\s+(?=\\S)`, 'iu')
const after = new RegExp(`(?<=\\S)\\s(?:${words})\\s{0,9}$`, 'iu')

/** Takes "only" off the end that was told of a state: "only this week", "this week only". */
export function passingEnd(until: string): { readonly until: string; readonly passing: boolean } {
  const plain = until.replace(before, '').replace(after, '')
  return { until: plain, passing: plain !== until }
}
