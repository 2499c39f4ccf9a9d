import type { Sentence } from '../models/writer.ts'

/** The reasons why a part of an answer cannot be used, in Varve's own words. They go into the next prompt, and into the log. */
export const problems = {
  missing: 'it was missing, or no list',
  empty: 'it was empty',
  shape: 'its items were no objects with "from" and "text"',
  statement: 'its items were no objects with "from", "quote", "subject", "predicate" and "object"',
  kind: 'its items had a "kind" that is none of "state", "ended", "event" and "never"',
  subjects: 'its items were no objects with "from", "quote", "subject" and "fact"',
  instructions: 'its items were no objects with "from", "quote" and "withdraws"',
  calls: 'it had no list of calls',
  uncited: 'its items cited no number of the material',
  length: 'its items were too long: one sentence an item, under 60 words',
  form: 'its items were headings, markup, remarks about the task, or no text',
  instruction: 'its items spoke to the reader instead of telling what was said',
  question: 'its items only asked something, and stated nothing',
  origin: 'its items rested on what no person said',
  invented: 'its items held names, numbers or addresses that the material does not hold',
  repeated: 'its items repeated each other',
  language: 'its items were not in the language of the material',
} as const

export type Fault = keyof typeof problems
export type Problem = (typeof problems)[Fault]

/** The result of one part of an answer: sentences that may be kept, or the reason why there are none. */
export type Parsed = { readonly sentences: Sentence[] } | { readonly problem: Problem }
