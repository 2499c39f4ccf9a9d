import { createHash, type Hash } from 'node:crypto'
import { fieldOf, isFields, listField, textField } from '../../turns/outside-json.ts'
import { isOwnTool } from '../../turns/own-tools.ts'
import type { SaidPart, ToolOutput, Utterance } from '../../turns/said.ts'
import type { PromptMessage } from './model-call.ts'

/** The most of a file at its begin and end that is hashed: a video must not hold up the host. */
const hashedFileSize = 65_536

/** Reads a message of a prompt. Instructions to the model give nothing, and neither do the calls and results of Varve's own tools. */
export function saidInPrompt({ role, content }: PromptMessage): Utterance | undefined {
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return undefined
  if (typeof content === 'string') return { role, parts: [{ type: 'text', text: content }] }
  return { role, parts: content.flatMap((part) => saidInPart(part).filter((said) => !isOfOwnTool(said))) }
}

/** Reads a part of a prompt or of an answer. Pictures and files are named; thoughts and sources give nothing. */
export function saidInPart(part: unknown): SaidPart[] {
  const type = textField(part, 'type')
  if (type === 'text') return [{ type, text: textField(part, 'text') ?? '' }]
  if (type === 'file') return [{ type, ...named(part, 'mediaType'), ...named(part, 'filename') }]
  if (type !== 'tool-call' && type !== 'tool-result') return []
  const tool = { toolCallId: textField(part, 'toolCallId') ?? '', toolName: textField(part, 'toolName') ?? 'tool' }
  if (type === 'tool-call') return [{ type, ...tool, input: fieldOf(part, 'input') ?? {} }]
  return [{ type, ...tool, output: outputOf(fieldOf(part, 'output'), fieldOf(part, 'result')) }]
}

/** Tells a part of one of Varve's own tools. */
export function isOfOwnTool(part: SaidPart): boolean {
  return (part.type === 'tool-call' || part.type === 'tool-result') && isOwnTool(part.toolName)
}

function named<Name extends string>(part: unknown, name: Name): { readonly [Field in Name]?: string } {
  const text = textField(part, name)
  return text === undefined ? {} : Object.assign(Object(), { [name]: text })
}

/** Gives what a tool answered. A tool that the provider ran has a `result`, all others an `output` that tells its type. */
function outputOf(output: unknown, result: unknown): ToolOutput {
  const type = textField(output, 'type') ?? ''
  const value = fieldOf(output, 'value')
  if (type === 'content') return { type: 'text', value: listField(output, 'value').map(worded).join('\n\n') }
  if (type === 'execution-denied') return { type: 'text', value: `[denied] ${textField(output, 'reason') ?? ''}`.trim() }
  if (type.endsWith('text')) return { type: 'text', value }
  return { type: 'json', value: type.endsWith('json') ? value : (result ?? null) }
}

function worded(part: unknown): string {
  return textField(part, 'text') ?? `[${textField(part, 'filename') ?? textField(part, 'mediaType') ?? textField(part, 'type') ?? 'part'}]`
}

/** Adds a message to the hash of a conversation: what was said, the same however a provider is told of it. */
export function hashMessage(hash: Hash, { role, content }: PromptMessage): void {
  hash.update(`\n${role}`)
  if (typeof content === 'string') {
    hash.update(JSON.stringify(['text', content]))
    return
  }
  for (const part of content) {
    if (textField(part, 'type') === 'file')
      hash.update(JSON.stringify(['file', fieldOf(part, 'filename'), fileDigest(fieldOf(part, 'data'))]))
    else for (const said of saidInPart(part)) hash.update(JSON.stringify(said))
  }
}

/** Identifies a file by its size, its begin and its end. v4 holds its bytes, text or address in an object. */
function fileDigest(data: unknown): string {
  const isBare = data instanceof Uint8Array || data instanceof URL || !isFields(data)
  const held = isBare ? data : (data['data'] ?? data['url'] ?? data['text'] ?? JSON.stringify(data))
  const bytes = held instanceof Uint8Array ? held : new TextEncoder().encode(String(held))
  const hash = createHash('sha256').update(String(bytes.length)).update(bytes.subarray(0, hashedFileSize))
  return hash.update(bytes.subarray(-hashedFileSize)).digest('base64url')
}
