/** The most tokens of one text that the model sees, its two marks included. */
export const maxTextTokens = 256

/** The most UTF-16 units of a text that are looked at: 256 tokens of running text take some 1,300, of code some 4,000. */
const maxTextLength = 8192

/** The most of it that is weighed: 256 tokens of running text. */
const maxWeighedLength = 2048

/** What a thread works on at a time: 60 to 100 ms, which is about how long a query waits for it at most. */
const sliceTokens = 192

/** The part of a text that the model may see: what is longer is neither copied to the thread nor tokenised. */
export function head(text: string): string {
  if (text.length <= maxTextLength) return text
  const isSplit = (text.charCodeAt(maxTextLength - 1) & 0xfc00) === 0xd800
  return text.slice(0, isSplit ? maxTextLength - 1 : maxTextLength)
}

/**
 * About how many tokens a text has: five letters or digits are one, any other visible character is one. Within 40 %
 * of the truth for European languages; at most what the model sees, and for a text that begins with thousands of blanks too few.
 */
export function estimateTokens(text: string): number {
  let tokens = 2
  let letters = 0
  for (let at = 0; at < Math.min(text.length, maxWeighedLength) && tokens < maxTextTokens; at += 1) {
    const code = text.charCodeAt(at)
    const isLetter =
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || (code >= 0xc0 && code < 0x370)
    if (!isLetter) letters = 0
    if (isLetter ? letters % 5 === 0 : code > 32) tokens += 1
    if (isLetter) letters += 1
  }
  return tokens
}

/** A run of a call's texts. */
export interface Slice {
  readonly from: number
  readonly texts: readonly string[]
}

/** A call's texts in runs of about `sliceTokens`, so that none keeps a thread for long; a long text is a run by itself. */
export function sliceTexts(texts: readonly string[]): readonly Slice[] {
  const slices: Slice[] = []
  let from = 0
  let tokens = 0
  for (const [at, text] of texts.entries()) {
    const more = estimateTokens(text)
    if (at > from && tokens + more > sliceTokens) {
      slices.push({ from, texts: texts.slice(from, at).map(head) })
      from = at
      tokens = 0
    }
    tokens += more
  }
  return from < texts.length ? [...slices, { from, texts: texts.slice(from).map(head) }] : slices
}
