import * as z from 'zod'
import type { AskedTask } from './instructions.ts'

// Bounds are not in the schema: providers refuse schemas with words that they do not know, and a part that is too long
// is cut.
const asked = z.object({ from: z.array(z.number()), text: z.string() })

const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\[?\d{1,9}\]?$/)
    .transform((text) => Number(text.replaceAll(/[[\]]/g, ''))),
])

/** The schema by which an item is read. Small models write numbers as text, or a single number in place of a list. */
export const answeredItem = z.object({
  from: z
    .union([z.array(z.unknown()), number.transform((alone) => [alone])])
    .transform((list) => list.flatMap((each) => number.safeParse(each).data ?? [])),
  text: z.string(),
})

/** Makes the JSON schema of an answer with these parts. */
export function answerSchema(tasks: readonly AskedTask[]): Record<string, unknown> {
  return schemaOf(z.object(Object.fromEntries(tasks.map(({ key, item }) => [key, z.array(item ?? asked)]))))
}

/** Makes a JSON schema without the address of its dialect: providers pass it on to the model, and it takes 17 tokens. */
export function schemaOf(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape)
  return schema
}
