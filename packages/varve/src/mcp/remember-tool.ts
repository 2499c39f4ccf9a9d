import { createHash } from 'node:crypto'
import { VarveError } from '../errors/varve-error.ts'
import { defusedLine } from '../messages/defused.ts'
import { type AgentTool, answeredInWords, stopping, type ToolInput } from '../operations/tools/agent-tool.ts'
import { given } from '../operations/tools/given.ts'
import { instructionKept, ownInstruction, type ToldNote } from '../operations/tools/remember.ts'
import { askPerson, personsAnswer } from './ask-person.ts'
import { objectSchema, flagSchema, textSchema } from './json-schema.ts'
import type { McpMeans } from './mcp-means.ts'
import { answerOf, failed, isError, type McpTool, type ToolAnswer, type ToolCall } from './tool-record.ts'

const question = { name: 'instruction', field: 'keep', title: 'Keep it as my instruction' }

/**
 * Makes the record of the remember tool. An instruction becomes the user's own after the person's yes alone. Where the client
 * cannot ask its person, it is the agent's note.
 */
export function rememberTool({ make }: McpMeans, tool: AgentTool<ToldNote>): McpTool {
  return {
    ...{ name: 'memory_remember', title: 'Remember', description: tool.description, inputSchema: tool.inputSchema, deed: 'writes' },
    output: objectSchema({ stored: textSchema, ref: textSchema, unverified: flagSchema }),
    answer: (input, call) => remembering(make, tool, input, call),
  }
}

async function remembering(make: McpMeans['make'], tool: AgentTool<ToldNote>, input: ToolInput, call: ToolCall): Promise<ToolAnswer> {
  const { signal } = call.context.mcpReq
  const { instruction, predicate, object, note } = given(input)
  const keep = async () => answerOf(await tool.execute(input, { abortSignal: signal }), told, false)
  const isElse = [predicate, object, note].some((one) => one !== undefined)
  if (!call.asksPerson || instruction === undefined || isElse) return keep()
  const own = await answeredInWords(async () => ({ own: await ownInstruction(make, instruction, stopping(signal)) }))
  if (isError(own)) return failed(own.error)
  if (own.own !== undefined) return answerOf(own.own, told, false)
  const state = stateOf(instruction)
  const isYes = personsAnswer(call, question)
  // A yes to other words is none to these.
  if (isYes === undefined || call.context.mcpReq.requestState() !== state) return askPerson(question, questionOf(instruction), state)
  if (!isYes) return answerOf({ stored: 'nothing', why: 'The user did not want it: nothing was kept.' }, ({ why }) => why, false)
  const kept = await answeredInWords(() => keptForUser(make, instruction, stopping(signal)))
  return kept === undefined ? keep() : answerOf(kept, told, false)
}

/** Keeps the user's own instruction. Undefined where the key of the client may claim no words of a person. */
async function keptForUser(make: McpMeans['make'], instruction: unknown, call: object): Promise<ToldNote | undefined> {
  try {
    return await instructionKept(make, { text: instruction }, call)
  } catch (error) {
    if (VarveError.is(error) && error.code === 'FORBIDDEN') return undefined
    throw error
  }
}

function questionOf(instruction: unknown): string {
  return `Keep this as your standing instruction? Agents who use your memory follow it from now on.\n- ${defusedLine(String(instruction))}`
}

function stateOf(instruction: unknown): string {
  return createHash('sha256').update(String(instruction)).digest('base64url')
}

const doubt = ' The user said otherwise, so it is not taken for true: ask the user.'

const onlyNote = 'It is not the user’s own instruction: that takes the user’s yes, and this client or its key cannot give it.'

function told({ stored, ref, by, again, unverified }: ToldNote): string {
  const isUsers = by === 'user'
  const head = again === true ? 'It was there already, and is stored once, as' : 'Kept as'
  const what = isUsers ? 'the user’s own instruction' : `your ${stored}`
  const note = stored === 'instruction' && !isUsers ? ` ${onlyNote}` : ''
  return `${head} ${what}: ${defusedLine(ref)}.${note}${unverified === true ? doubt : ''}`
}
