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
    `at most ${maxSubjectFacts} facts to be kept in documents, each document about one subject. Only what a person said of himself, ` +
      'of what is his or of his business, and decisions; never what an assistant or a tool said. No greetings, questions, wishes ' +
      'or jokes. [] where there are none. Fields:',
    '  "from": the number of the message that says it.',
    '  "quote": the words of the message that say it, copied exactly.',
    '  "subject": what the document is about, in one to five words: a thing, person, place, project or matter, as it was named. ' +
      'Lower case unless it is a name; "" for the speaker. The same words for the same subject.',
    '  "fact": one whole sentence that can be read without the others, with amounts, names and places as they were said.',
  ].join('\n'),
  example: '{"from":7,"quote":"I sold my boat in May","subject":"boat","fact":"Ada sold her boat in May."}',
  item: askedSubjectFact,
  /** Twenty facts of ninety tokens. */
  maxOutputTokens: 1800,
} as const satisfies AskedTask
