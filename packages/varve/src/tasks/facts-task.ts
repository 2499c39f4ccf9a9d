import * as z from 'zod'
import { schemaOf } from './answer-schema.ts'
import type { AskedTask } from './instructions.ts'

/** The most facts of an answer. A model is asked for no more, and the reading of an endless answer ends here. */
export const maxFacts = 20

/** Predicates that show the form. A model may use others: those that mean the same are one for Varve. */
const usual = 'works as, likes, plans to, went to, met'

/** The schema of a fact in a prompt. All fields are required, as strict providers want it. Bounds are not in the schema. */
export const askedFact = z.object({
  quote: z.string(),
  from: z.number(),
  kind: z.enum(['state', 'event', 'ended', 'never']),
  subject: z.string(),
  predicate: z.string(),
  object: z.string(),
  when: z.string(),
})

/** The task on a span for the layer of facts. Each item has fields of its own, in the place of "from" and "text". */
export const factsTask = {
  key: 'facts',
  task: [
    `at most ${maxFacts} lasting facts that persons said, no assistant or tool. No questions, wishes, jokes, guesses or requests. Fields:`,
    '"quote": the words that say it, copied exactly',
    '"kind": state, event (once), ended (no longer so), never (was wrong)',
    '"subject": "" for the speaker, else a name; "object": short, as said',
    `"predicate": 1 to 3 words, such as ${usual}`,
    '"when": its time as said ("until Friday"), else ""',
  ].join('\n  '),
  example:
    '{"quote":"I live in Bergen","from":7,"kind":"state","subject":"","predicate":"lives in","object":"Bergen","when":""},' +
    '{"quote":"I sold my boat in May","from":7,"kind":"event","subject":"","predicate":"sold","object":"boat","when":"in May"}',
  item: askedFact,
  /** Twenty facts of fifty tokens, and as much again for a language of many tokens. */
  maxOutputTokens: 2000,
} as const satisfies AskedTask

/** Makes the JSON schema of an answer that holds facts alone. */
export function factsSchema(): Record<string, unknown> {
  return schemaOf(z.object({ [factsTask.key]: z.array(askedFact) }))
}
