/** Letters of evidence per language (ISO 639-1), gathered over a session. */
export type LanguageVotes = Readonly<Record<string, number>>

/** Names the language of a text as ISO 639-1, or '' when it cannot tell. */
export type DetectLanguage = (text: string) => string

/** Loads the published detector (eld). That takes 0.3 s, so only a thread that appends loads it, when first needed. */
export async function loadDetector(): Promise<DetectLanguage> {
  const { eld } = await import('eld/extrasmall')
  return (text) => eld.detect(text).language
}

/** The number of letters that settles a session's language. Then detection stops, which takes 0.1 ms a text. */
export const enoughLetters = 400

/** The least number of letters for a guess: "ok, danke" is too short for a language. */
const leastLetters = 24

/** The most that one detection reads, in UTF-16 code units. */
const sampleLength = 1000

const letters = /\p{L}/gu

/** Adds the votes of some more texts of the session. */
export function vote(votes: LanguageVotes, texts: readonly string[], detect: DetectLanguage): LanguageVotes {
  if (total(votes) >= enoughLetters) return votes
  const sample = sampleOf(texts)
  const count = sample.match(letters)?.length ?? 0
  if (count === 0) return votes
  const language = detect(sample)
  const heard = language === '' ? 'unknown' : language
  return { ...votes, [heard]: (votes[heard] ?? 0) + count }
}

/** Returns the language with the most votes, or '' while there are too few letters. Equal votes go to the first by name. */
export function votedLanguage(votes: LanguageVotes): string {
  if (total(votes) < leastLetters) return ''
  const ranked = Object.entries(votes).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const language = ranked[0]?.[0]
  return language === undefined || language === 'unknown' ? '' : language
}

function sampleOf(texts: readonly string[]): string {
  let sample = ''
  for (const text of texts) {
    sample += ` ${text.slice(0, sampleLength)}`
    if (sample.length >= sampleLength) break
  }
  return sample
}

function total(votes: LanguageVotes): number {
  return Object.values(votes).reduce((sum, count) => sum + count, 0)
}
