import * as z from 'zod'
import type { AskedTask } from './instructions.ts'

/** The most facts of an answer. A model is asked for no more, and the reading of an endless answer ends here. */
export const maxSubjectFacts = 20

/** The schema of a fact in a prompt. All fields are required, as strict providers want it. Bounds are not in the schema. */
export const askedSubjectFact = z.object({ from: z.number(), quote: z.string(), subject: z.string(), fact: z.string() })

/**
 * The task on a span for the layer of documents. The documents of the subjects are found afterwards: no list of
 * existing ones is in the prompt.
 */
export const documentsTask = {
  key: 'documents',
  task: [
    `at most ${maxSubjectFacts} facts to be kept in documents, each document about one subject. Only what a person (role user) ` +
      'said of himself, of what is his or of his business, and decisions that were made; never what an assistant or a tool said. ' +
      'No greetings, questions, wishes or jokes. An empty list where there is nothing. Each fact is an object:',
    '  "from": the number of the one message that says it.',
    '  "quote": words of that message, exactly as they stand there, enough to say it.',
    '  "subject": what the document is to be about, in one to five words: a thing, person, place, project or matter that one ' +
      'would look up, as it was named; in lower case unless it is a name; "" for the one who speaks. The same words for the same ' +
      'subject.',
    '  "fact": one complete sentence that can be read without the others, with amounts, names and places as they were said.',
  ].join('\n'),
  example: '{"from": 1, "quote": "…", "subject": "…", "fact": "…"}',
  item: askedSubjectFact,
  /** Twenty facts of ninety tokens. */
  maxOutputTokens: 1800,
} as const satisfies AskedTask
