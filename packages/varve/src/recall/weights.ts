/**
 * The weights of the ranking: a sum of named signals, each between 0 and 1 (recall/signals), times these. There are two
 * kinds of talk (index/segment.ts): `people` with each other, and a user with an `assistant`, whose long answers say the
 * question's words again. A score is a share of the sum that a message with every signal could reach.
 * docs/reference/recall-quality.md has the gain of each, and the talk on which they were chosen.
 */
export const weights = {
  words: { people: 1, assistant: 1 },
  around: { people: 1, assistant: 0.4 },
  meaning: { people: 0.5, assistant: 1.25 },
  talk: { people: 0.5, assistant: 0.6 },
  session: { people: 0.3, assistant: 0.5 },
  speaker: { people: 0.4, assistant: 0.4 },
  person: { people: 0.3, assistant: 0.7 },
  first: { people: 0.05, assistant: 0.05 },
  date: { people: 0.6, assistant: 0.6 },
  when: { people: 0.3, assistant: 0.3 },
  question: { people: -0.25, assistant: 0 },
  order: { people: 0.6, assistant: 0.6 },
  beside: { people: -0.35, assistant: -0.35 },
} as const satisfies Readonly<Record<string, Readonly<Record<TalkKind, number>>>>

/** The kinds of talk, by the number that a segment has for each. */
export const talks = ['people', 'assistant'] as const
export type TalkKind = (typeof talks)[number]

/** Returns a signal's weight while candidates are chosen: the higher of the two. */
export function firstWeight(name: keyof typeof weights): number {
  return Math.max(weights[name].people, weights[name].assistant)
}

/**
 * The least relevance (words and meaning) at which speaker and time count in full; below it they count less. The right
 * speaker alone does not make a message an answer.
 */
export const leastRelevance = 0.25

/** A vector nearer than this to the question makes a message a candidate though no telling word of it matches. */
export const leastCosine = 0.1

/** The least meaning, of a message or of the talk around it, that makes a hit of a message without a telling word. */
export const leastAbout = 0.2

/**
 * The terms of an answer's confidence (recall/confidence.ts), with vectors and by words alone. Fitted by `npm run
 * bench:absent -- --data <LoCoMo> --beside <BEAM> --sessions on --fit on`, and with `--embeddings off`. Fit again when a
 * weight above changes.
 */
export const confidenceTerms = {
  withVectors: { base: -8.1, score: 14.5, cosine: 3.2, known: 0, few: 0.9 },
  wordsAlone: { base: -5.9, score: 7, cosine: 0, known: 2.6, few: 1.4 },
} as const

/** The least confidence of an answer that shows its hits: below it nearly every question is about something never said. */
export const leastConfidence = 0.03

/** In fewer messages nothing is left out: a few words more or less decide there. */
export const leastToLeaveOut = 50

/** With a smaller share of messages in English nothing is left out: other languages give lower scores and cosines. */
export const leastEnglish = 0.9

/** Where the best hit says this share of the question nothing is left out. */
export const mostSaid = 0.3

/**
 * Where the cosine of the best hit is as high nothing is left out: an answer in other words has only its meaning. For the
 * MiniLM in the package.
 */
export const mostCosine = 0.275
