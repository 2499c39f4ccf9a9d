import { countedKinds } from '../messages/counted-kinds.ts'
import type { AgentTool, ToolInput } from '../operations/tools/agent-tool.ts'
import type { ForgetAnswer } from '../operations/tools/forget-memory.ts'
import { askPerson, personsAnswer } from './ask-person.ts'
import { fencedText } from './fenced.ts'
import { flagSchema, listSchema, objectSchema, textSchema } from './json-schema.ts'
import type { McpMeans } from './mcp-means.ts'
import { answerOf, isError, type McpTool, type ToolAnswer, type ToolCall } from './tool-record.ts'

const question = { name: 'confirm', field: 'erase', title: 'Erase it for good' }

/**
 * Makes the record of the forget tool. Where the client can ask its person, the person is asked, and the agent gets no token: it
 * cannot say yes by itself. Elsewhere the agent gets the token, shows what would go, and calls again.
 */
export function forgetTool(means: McpMeans, tool: AgentTool<ForgetAnswer>): McpTool {
  return {
    ...{ name: 'memory_forget', title: 'Forget', description: tool.description, inputSchema: tool.inputSchema, deed: 'erases' },
    output: objectSchema(
      {
        done: flagSchema,
        counts: { type: 'object' },
        lines: listSchema(textSchema),
        confirm: textSchema,
        why: textSchema,
        receipt: textSchema,
      },
      ['done'],
    ),
    answer: (input, call) => forgetting(means, tool, input, call),
  }
}

async function forgetting(means: McpMeans, tool: AgentTool<ForgetAnswer>, input: ToolInput, call: ToolCall): Promise<ToolAnswer> {
  const told = async (answer: ForgetAnswer): Promise<string> => shownAnswer(means, answer)
  // Where the person is asked, a token among the agent's arguments is no yes, wherever the agent has it from.
  const { confirm: byAgent, ...target } = input
  const own = call.asksPerson || byAgent === undefined ? target : input
  const run = async (more: ToolInput) => tool.execute({ ...own, ...more }, { abortSignal: call.context.mcpReq.signal })
  const isYes = personsAnswer(call, question)
  if (isYes === false) return answerOf(refusedByPerson, told, false)
  // The state comes back by way of the client. It is the token itself, which the store has signed.
  const output = await run(isYes === true ? { confirm: call.context.mcpReq.requestState() } : {})
  if (isError(output) || output.done || output.confirm === undefined || !call.asksPerson)
    return answerOf(output, told, 'lines' in output && output.lines.length > 0)
  const { confirm, ...shown } = output
  return askPerson(question, questionOf(shown), confirm)
}

const refusedByPerson: ForgetAnswer = { done: false, counts: {}, lines: [], why: 'The user did not confirm it: nothing was erased.' }

type Shown = Extract<ForgetAnswer, { readonly done: false }>

/** Asks a person. The lines are defused, each in a line of its own. */
function questionOf({ counts, why, ...shown }: Omit<Shown, 'confirm'>): string {
  const again = why === undefined ? '' : 'It changed since you were asked. '
  return [`${again}Erase ${countedKinds(counts)} from memory for good? It cannot be undone.`, ...listed(shown)].join('\n')
}

/** Lists the lines, and counts by kind of all that goes beside them. */
function listed({ lines, more }: Pick<Shown, 'lines' | 'more'>): string[] {
  const rest = more === undefined ? [] : [lines.length === 0 ? `${countedKinds(more)}, none shown` : `and ${countedKinds(more)} more`]
  return [...lines.map((line) => `- ${line}`), ...rest]
}

async function shownAnswer(means: McpMeans, answer: ForgetAnswer): Promise<string> {
  if (answer.done) return `Erased for good: ${countedKinds(answer.counts)}. Receipt ${answer.receipt}.`
  const { why, confirm } = answer
  const lines = listed(answer)
  const quoted = lines.length === 0 ? [] : [await fencedText(means, lines.join('\n'))]
  const would = Object.keys(answer.counts).length === 0 ? [] : [`Would be erased: ${countedKinds(answer.counts)}. Nothing was erased yet.`]
  const next = confirm === undefined ? [] : [`Ask the user. After a yes, call again with the same input and confirm: ${confirm}`]
  return [...(why === undefined ? [] : [why]), ...would, ...quoted, ...next].join('\n')
}
