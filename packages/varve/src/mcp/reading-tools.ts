import { type ReadingTools, readingTools } from '../operations/tools/readings.ts'
import { objectSchema, textSchema } from './json-schema.ts'
import type { McpMeans } from './mcp-means.ts'
import { type McpTool, toolRecord } from './tool-record.ts'

type Handed = NonNullable<Exclude<Awaited<ReturnType<ReadingTools['reading_done']['execute']>>, { readonly error: string }>['reading']>

/** The tools by which the client's own model reads what is due: only where they are asked for. */
export function readingRecords({ make }: McpMeans): readonly McpTool[] {
  const tools = readingTools(make)
  return [
    toolRecord('reading_next', tools.reading_next, {
      ...{ title: 'Next reading', deed: 'writes', quotes: false },
      output: objectSchema({ about: textSchema, none: textSchema, reading: { type: 'object' } }, ['about']),
      text: ({ about, reading }) => (reading === undefined ? about : shown(reading)),
    }),
    toolRecord('reading_done', tools.reading_done, {
      ...{ title: 'Reading done', deed: 'writes', quotes: false },
      output: objectSchema({ outcome: textSchema, about: textSchema, reading: { type: 'object' } }, ['outcome', 'about']),
      text: ({ about, reading }) => (reading === undefined ? about : `${about}\n\n${shown(reading)}`),
    }),
  ]
}

/** Shows a reading: Varve's own words, and the data within their fence. */
function shown({ id, instructions, prompt, schema }: Handed): string {
  return [instructions, prompt, `Give one JSON object of this schema to reading_done, with the id ${id}:\n${JSON.stringify(schema)}`].join(
    '\n\n',
  )
}
