/**
 * The ranking is a sum of named signals, each between 0 and 1 (recall/signals), times these weights, as a share of what a
 * message with everything that the question offers could reach. Round numbers, chosen on one half of LoCoMo and on
 * distorted copies of it, so that none fits one file: docs/reference/recall-quality.md has what each gained.
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
 * What a message is (who said it, when) counts in full once its words and its meaning come to this much of the question,
 * and less below: that a message is by the right person does not make it an answer.
 */
export const leastRelevance = 0.25

/** A vector nearer than this to the question makes a message a candidate though no telling word of it matches. */
export const leastCosine = 0.1

/** A message that no telling word leads to is a hit when its meaning, or that of the talk around it, comes to this much. */
export const leastAbout = 0.2
