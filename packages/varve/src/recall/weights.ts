/**
 * The ranking is a sum of named signals. `around` is what the messages nearby add to the message's own words, so a message
 * that has every word of the question reaches .9 with or without them, and by the speaker who was asked about, 1. Measured with bench:locomo (docs/reference/recall-quality.md).
 */
export const weights = { words: 0.9, around: 0.45, speaker: 0.1 } as const
