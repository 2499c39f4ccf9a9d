import type { DoneReading, NextReading } from '../../upkeep/due-reading.ts'
import { readingOperations } from '../readings.ts'
import { type AgentTool, agentTool, stopping } from './agent-tool.ts'
import { given } from './given.ts'
import { fieldSchemas, type MakeCall } from './make-call.ts'

/** The tools by which an agent's own model reads what is due. */
export interface ReadingTools {
  readonly reading_next: AgentTool<NextReading>
  readonly reading_done: AgentTool<DoneReading>
}

const nextAbout =
  'Gives a part of this memory that is due to be read: instructions, quoted data and a JSON schema. Answer it by reading_done. ' +
  'Call it when you have nothing else to do, and stop when it gives none.'
const doneAbout = 'Takes your answer to a reading: one JSON object of its schema, with its id.'

/** Makes the two tools. Requests are quoted already, within a fence that must stay. */
export function readingTools(make: MakeCall): ReadingTools {
  const { next, done } = readingOperations
  return {
    reading_next: agentTool<NextReading>(
      nextAbout,
      { properties: fieldSchemas(next, ['model']), required: [] },
      ({ model }, signal) => make(next, given({ model }), stopping(signal)),
      (output) => output,
    ),
    reading_done: agentTool<DoneReading>(
      doneAbout,
      { properties: fieldSchemas(done, ['id', 'answer']), required: ['id', 'answer'] },
      ({ id, answer }, signal) => make(done, { id, answer }, stopping(signal)),
      (output) => output,
    ),
  }
}
