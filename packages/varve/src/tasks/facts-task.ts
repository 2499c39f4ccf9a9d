import * as z from 'zod'
import { schemaOf } from './answer-schema.ts'
import type { AskedTask } from './instructions.ts'

/** The most facts of an answer. A model is asked for no more, and the reading of an endless answer ends here. */
export const maxFacts = 20

/** Predicates that keep the same statement under the same words. A model may use others where none of them fits. */
const usual = 'lives in, works at, works as, likes, has, married to, plans to; for events went to, met, bought, made'

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
    `at most ${maxFacts} facts of lasting worth that persons (no assistant, no tool) said. No questions, wishes, jokes, guesses or ` +
      'orders to the assistant. Fields:',
    '"quote": the few words that say it, copied exactly; "from": its message',
    '"kind": "state" (from then on), "event" (happened once), "ended" (no longer so), "never" (was wrong)',
    '"subject": "" for the speaker, else the name',
    `"predicate": one to three words, such as ${usual}`,
    '"object": short, as said',
    '"when": the words for its time, copied ("until Friday", "only this week"), else ""',
  ].join('\n  '),
  example:
    '{"quote": "We moved to Bergen in May", "from": 7, "kind": "state", "subject": "", "predicate": "lives in", "object": "Bergen", ' +
    '"when": "in May"}, {"quote": "Yesterday I sold the boat", "from": 7, "kind": "event", "subject": "", "predicate": "sold", ' +
    '"object": "boat", "when": "Yesterday"}',
  item: askedFact,
  /** Twenty facts of fifty tokens, and as much again for a language of many tokens. */
  maxOutputTokens: 2000,
} as const satisfies AskedTask

/** Makes the JSON schema of an answer that holds facts alone. */
export function factsSchema(): Record<string, unknown> {
  return schemaOf(z.object({ [factsTask.key]: z.array(askedFact) }))
}
