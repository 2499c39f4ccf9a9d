/**
 * The weights of the ranking: a sum of named signals, each between 0 and 1 (recall/signals), times these. A score is a
 * share of the sum that a message with every signal could reach. They are round numbers, chosen on one half of LoCoMo
 * and on distorted copies of it, so that none fits one file. docs/reference/recall-quality.md has the gain of each.
 */
export const weights = {
  words: 1,
  around: 1,
  meaning: 0.5,
  talk: 0.5,
  session: 0.3,
  speaker: 0.4,
  person: 0.3,
  date: 0.6,
  when: 0.3,
  question: -0.25,
} as const

/**
 * The least relevance (words and meaning) at which speaker and time count in full; below it they count less. The right
 * speaker alone does not make a message an answer.
 */
export const leastRelevance = 0.25

/** A vector nearer than this to the question makes a message a candidate though no telling word of it matches. */
export const leastCosine = 0.1

/** The least meaning, of a message or of the talk around it, that makes a hit of a message without a telling word. */
export const leastAbout = 0.2
