import * as z from 'zod'
import type { AskedTask } from './instructions.ts'

/** The most facts of an answer. A model is asked for no more, and the reading of an endless answer ends here. */
export const maxFacts = 20

/** Predicates that keep the same statement under the same words. A model may use others where none of them fits. */
const predicates = [
  'name',
  'lives in',
  'comes from',
  'works at',
  'works as',
  'studies',
  'likes',
  'dislikes',
  'prefers',
  'has',
  'married to',
  'child',
  'allergic to',
  'diet',
  'birthday',
  'age',
  'speaks',
  'plans to',
  'decided to',
]

/** The schema of a fact in a prompt. All fields are required, as strict providers want it. Bounds are not in the schema. */
export const askedFact = z.object({
  from: z.number(),
  quote: z.string(),
  kind: z.enum(['state', 'ended', 'event', 'never']),
  subject: z.string(),
  predicate: z.string(),
  object: z.string(),
  instead: z.string(),
  when: z.string(),
  until: z.string(),
  tense: z.enum(['past', 'present', 'future']),
  confidence: z.number(),
  single: z.boolean(),
  restsOn: z.array(z.number()),
})

/** The task on a span for the layer of facts. Each item has fields of its own, in the place of "from" and "text". */
export const factsTask = {
  key: 'facts',
  task: [
    `at most ${maxFacts} facts that will most likely still matter when this talk is long over. Only what a person (role user) ` +
      'stated of himself or of others; never what an assistant or a tool said. No questions, wishes, jokes, nor what is only ' +
      'supposed, nor what the assistant is told to do. An empty list where there is none. Each fact is an object:',
    '  "from": the number of the one message that says it.',
    '  "quote": words of that message, exactly as they stand there, enough to say it.',
    '  "kind": "state" for what holds from then on, a move or a decision too; "ended" for what holds no more ("I quit my job"); ' +
      '"never" for what never held; "event" for what happened once ("painted a lake").',
    '  "subject": "" for the one who speaks; else the name as it was said.',
    `  "predicate": present tense, lower case, one to three words. Where they fit: ${predicates.join(', ')}; or ` +
      'what the line [known] names.',
    '  "object": as it was said, short, without an article.',
    '  "instead": where the speaker corrects something ("on the 5th, not the 4th"), the object that was wrong; else "".',
    '  "when", "until": since when or at which time, and until when, in words of the message ("last May"); else "". Copy the ' +
      'words, work out no dates. Put "only" before an end after which the earlier state is back: "only this week".',
    '  "tense": of the statement: "past", "present" or "future".',
    '  "confidence": 0 to 1, how surely the words say so.',
    '  "single": true where one can have only one such object at a time, as with a home; else false.',
    '  "restsOn": places in your list, from 1, of facts without which this one does not hold; else [].',
  ].join('\n'),
  example:
    '{"from": 1, "quote": "…", "kind": "state", "subject": "", "predicate": "lives in", "object": "…", "instead": "", "when": "", ' +
    '"until": "", "tense": "present", "confidence": 0.9, "single": true, "restsOn": []}',
  item: askedFact,
  /** Twenty facts of a hundred tokens. */
  maxOutputTokens: 2000,
} as const satisfies AskedTask

/** Makes the JSON schema of an answer that holds facts alone. */
export function factsSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(z.object({ [factsTask.key]: z.array(askedFact) })) }
}
