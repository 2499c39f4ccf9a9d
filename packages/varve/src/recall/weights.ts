/**
 * The ranking is a sum of named signals. A message that has every word of the question, beside messages that have them
 * all, by the speaker who was asked about, reaches 1. Measured with bench:locomo (docs/reference/recall-quality.md).
 */
export const weights = { words: 0.45, around: 0.45, speaker: 0.1 } as const
