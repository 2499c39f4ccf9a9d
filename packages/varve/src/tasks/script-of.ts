/** Writing systems that are told apart; letters of others count for none. */
const scripts = ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Hangul'] as const
const patterns = scripts.map((script) => new RegExp(String.raw`\p{Script=${script}}`, 'gu'))
// Japanese mixes two scripts of its own with Han.
const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** Gives the writing system of most letters of a text; undefined for a text without any. */
export function scriptOf(text: string): string | undefined {
  const counts = [
    ...patterns.map((pattern, place) => ({ script: String(scripts[place]), count: text.match(pattern)?.length ?? 0 })),
    { script: 'Han', count: text.match(han)?.length ?? 0 },
  ]
  const most = counts.reduce((best, one) => (one.count > best.count ? one : best))
  return most.count === 0 ? undefined : most.script
}

/** Tells whether a text has letters of a writing system at all. */
export function hasScript(text: string, script: string): boolean {
  const place = scripts.findIndex((one) => one === script)
  return text.search(patterns[place] ?? han) !== -1
}
