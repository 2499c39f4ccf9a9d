import * as z from 'zod'
import { InvalidOption } from '../errors/invalid-option.ts'
import { longestAnswer } from '../upkeep/host-text.ts'
import { checked, id, refused, text, typed } from './fields.ts'
import { operation } from './operation.ts'

const expectedModel = 'the name of a model: 1 to 60 letters, digits and any of . : / @ + - _'

const model = () =>
  text()
    .regex(/^[A-Za-z0-9][\w.:/@+-]{0,59}$/, { error: expectedModel })
    .default('agent')
    .describe('The name of the model that will answer: it stands as the writer of its texts, as `host:<model>`. Default: agent.')

const isRecord = z.record(z.string(), z.unknown())
const expectedAnswer = `a JSON object, or a text that holds one, of at most ${longestAnswer} bytes`

const answer = () =>
  typed(
    'string | Readonly<Record<string, unknown>>',
    checked<string | Readonly<Record<string, unknown>>>({ type: ['object', 'string'] }, (received) => {
      const given = typeof received === 'string' ? received : isRecord.safeParse(received).data
      if (given === undefined) throw refused('answer', received, expectedAnswer)
      const bytes = Buffer.byteLength(typeof given === 'string' ? given : jsonOf(given))
      if (bytes > longestAnswer) throw new InvalidOption({ option: 'answer', received: `${bytes} bytes`, expected: expectedAnswer })
      return given
    }),
  ).describe('The answer: a JSON object of the reading’s schema, or a text that holds one.')

/** Writes an object as JSON. InvalidOption for one that has none: a circle, one too deep, or one whose own code throws. */
function jsonOf(given: object): string {
  try {
    return JSON.stringify(given)
  } catch {
    throw refused('answer', given, expectedAnswer)
  }
}

/** What the agent's own model reads. */
export const readingOperations = {
  next: operation({
    name: 'readings.next',
    kind: 'write',
    route: 'POST /readings/next',
    about:
      'Hands out one due piece of this user’s memory for the agent’s own model to read, with its instructions, its prompt and the ' +
      'schema of the answer. It is held for five minutes; then another agent may get it. `none` says why there is nothing.',
    input: () => ({ model: model() }),
    output: 'NextReading',
    errors: [],
    method: { example: "const { reading, about } = await ada.readings.next({ model: 'claude' })" },
    run: async ({ readings, partition, shown }, { model }, { signal }) => {
      const { found, epochs } = await readings(signal).nextReading(partition, model)
      if (found.reading !== undefined) shown.add(partition, epochs, [{ id: found.reading.id, text: found.reading.prompt }])
      return found
    },
  }),
  done: operation({
    name: 'readings.done',
    kind: 'write',
    route: 'POST /readings/done',
    about:
      'Takes the answer to a reading, through the checks that the answer of a configured model passes. `outcome` says what became of ' +
      'it; parts that cannot be used are asked for once more, in a `reading` of their own.',
    input: () => ({ id: id().describe('The id of the reading.'), answer: answer() }),
    output: 'DoneReading',
    errors: ['NOT_FOUND'],
    method: {
      details: 'NotFound for an id that this user was not handed.',
      example: 'const { outcome } = await ada.readings.done(reading.id, answer)',
    },
    run: async (means, { id, answer }, { signal }) => {
      const done = await means.readings(signal).doneReading(means.partition, id, answer)
      means.hint()
      return done
    },
  }),
}
