import { textOfParts } from '../../messages/parts.ts'
import type { RepairReason } from '../reasons.ts'
import type { ContentBlock, InnerBlock } from './claude-code-lines.ts'
import { printedText } from './claude-code-talk.ts'
import { callPart, resultPart, type ToolNames, type ToolPart } from './tool-parts.ts'

/** The start of a tool result that a person refused, the lead of their quoted words, and the note behind them. */
const refusal = "The user doesn't want to proceed with this tool use."
const quotation = 'To tell you how to proceed, the user said:\n'
const behind = "\n\nNote: The user's next message"
/** The program's text for a person who would rather talk than choose. */
const clarification = 'The user wants to clarify these questions.'

export interface ReadBlocks {
  readonly content: string
  /** AI SDK parts, if there is more than text. */
  readonly parts: readonly unknown[] | undefined
  readonly repairs: readonly RepairReason[]
  /** The number of thinking blocks. */
  readonly thoughts: number
  /** The person's words when they refused a tool. */
  readonly said: readonly string[]
}

/** Reads the content blocks of one message. */
export class BlockReader {
  readonly #tools: ToolNames

  constructor(tools: ToolNames) {
    this.#tools = tools
  }

  read(blocks: readonly ContentBlock[]): ReadBlocks {
    const parts: ToolPart[] = []
    const repairs: RepairReason[] = []
    const said: string[] = []
    let thoughts = 0
    for (const block of blocks) {
      if (block.type === 'thinking' || block.type === 'redacted_thinking') thoughts += 1
      else if (block.type === 'text') parts.push(...textPart(block.text))
      else if (block.type.endsWith('tool_use')) parts.push(this.#call(block, repairs))
      else if (block.type.endsWith('tool_result')) parts.push(this.#result(block, repairs, said))
      else repairs.push(leftOut.get(block.type) ?? 'part left out')
    }
    const isText = parts.every(({ type }) => type === 'text')
    return { content: textOfParts(parts), parts: isText ? undefined : parts, repairs, thoughts, said }
  }

  #call({ id = '', name = 'tool', input }: ContentBlock, repairs: RepairReason[]): ToolPart {
    if (id !== '') this.#tools.set(id, name)
    const { part, shortened } = callPart(id, name, input)
    if (shortened) repairs.push('parts shortened')
    return part
  }

  #result({ tool_use_id: id = '', content, is_error: isError }: ContentBlock, repairs: RepairReason[], said: string[]): ToolPart {
    const { text, lost } = outputOf(content)
    repairs.push(...lost)
    const words = isError ? refusedWith(text) : undefined
    // The person's words stand once, in a message of their own.
    const value = words === undefined ? text : text.slice(0, text.indexOf(quotation)).trimEnd()
    if (words !== undefined) said.push(words)
    return resultPart(id, this.#tools.get(id) ?? 'tool', value, isError)
  }
}

const leftOut: ReadonlyMap<string, RepairReason> = new Map([
  ['image', 'image left out'],
  ['document', 'file left out'],
])

/** Returns the person's words in a refusal; undefined for other results. */
function refusedWith(text: string): string | undefined {
  const from = text.startsWith(refusal) ? text.indexOf(quotation) : -1
  const [words = ''] = from < 0 ? [] : text.slice(from + quotation.length).split(behind)
  return words.trim() === '' || words.startsWith(clarification) ? undefined : words.trim()
}

function textPart(text: string | undefined): readonly ToolPart[] {
  return text === undefined || text.trim() === '' ? [] : [{ type: 'text', text }]
}

/** Returns a tool's output: texts, names of found things, and a note for each picture. */
function outputOf(content: string | readonly InnerBlock[] | undefined): { readonly text: string; readonly lost: readonly RepairReason[] } {
  const lost: RepairReason[] = []
  const texts = (typeof content === 'string' ? [content] : (content ?? []).map((one) => innerText(one, lost))).map(printedText)
  const text = texts.filter((one) => one !== '').join('\n\n')
  return { text: text === '' ? '(no output)' : text, lost }
}

function innerText({ type, text, title, url }: InnerBlock, lost: RepairReason[]): string {
  if (text !== undefined) return text
  const link = [title, url].filter((one) => one !== undefined).join(' ')
  if (link !== '') return link
  lost.push(leftOut.get(type) ?? 'part left out')
  return leftOut.has(type) ? `[${type}]` : ''
}
