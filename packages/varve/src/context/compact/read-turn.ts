import type { Role } from '../../messages/message.ts'
import type { Piece, Turn } from './turn.ts'

const roleOf: Readonly<Record<string, Role>> = {
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  system: 'system',
  developer: 'system',
  function: 'tool',
}

/** Reads a message of any shape that `shapeOf` knows. Leaves out unknown parts. */
export function readTurn(message: object): Turn {
  const type = text(message, 'type')
  if (field(message, 'role') === undefined) return itemTurn(message, type)
  const role = roleOf[text(message, 'role')] ?? 'user'
  const content = field(message, 'content')
  const said =
    typeof content === 'string' ? [{ kind: 'text' as const, text: content }] : partsOf(content ?? field(message, 'parts')).flatMap(pieceOf)
  const pieces = role === 'tool' ? resultsOf(message, said) : [...said, ...callsBeside(message)]
  const id = text(message, 'id')
  return { role, ...(id === '' ? {} : { id }), pieces }
}

/** Reads an item of OpenAI's Responses that is no message. */
function itemTurn(item: object, type: string): Turn {
  const id = text(item, 'call_id')
  if (type === 'reasoning')
    return {
      role: 'assistant',
      pieces: [
        {
          kind: 'thought',
          text: partsOf(field(item, 'summary'))
            .map((part) => text(part, 'text'))
            .join('\n'),
        },
      ],
      withNext: true,
    }
  if (type.endsWith('_output'))
    return { role: 'tool', pieces: [{ kind: 'result', id, name: '', output: outputOf(field(item, 'output')), failed: false }] }
  const input = field(item, 'arguments') ?? field(item, 'input') ?? field(item, 'action')
  return {
    role: 'assistant',
    pieces: [
      {
        kind: 'call',
        id,
        name: text(item, 'name') || type,
        input: json(input),
        isOpen: type === 'function_call' || type === 'custom_tool_call' || id !== '',
      },
    ],
  }
}

/** Reads a message of role tool: parts that hold results, or one result in all. */
function resultsOf(message: object, said: readonly Piece[]): readonly Piece[] {
  if (said.some(({ kind }) => kind === 'result' || kind === 'call')) return said
  const output = said.flatMap((piece) => ('text' in piece ? [piece.text] : [])).join('\n\n')
  const name = text(message, 'name')
  return [{ kind: 'result', id: text(message, 'tool_call_id') || nameId(name), name: '', output, failed: false }]
}

/** Reads OpenAI's calls, which stand beside the content. */
function callsBeside(message: object): Piece[] {
  const legacy = field(message, 'function_call')
  const calls = partsOf(field(message, 'tool_calls')).map((call): Piece => {
    const made = objectOf(field(call, 'function')) ?? objectOf(field(call, 'custom')) ?? call
    return {
      kind: 'call',
      id: text(call, 'id'),
      name: text(made, 'name'),
      input: json(field(made, 'arguments') ?? field(made, 'input')),
      isOpen: true,
    }
  })
  const made = objectOf(legacy)
  return made === undefined
    ? calls
    : [
        ...calls,
        { kind: 'call', id: nameId(text(made, 'name')), name: text(made, 'name'), input: json(field(made, 'arguments')), isOpen: true },
      ]
}

function nameId(name: string): string {
  return name === '' ? '' : `function ${name}`
}

function pieceOf(part: unknown): Piece[] {
  if (typeof part === 'string') return [{ kind: 'text', text: part }]
  const given = objectOf(part)
  if (given === undefined) return []
  const type = text(given, 'type')
  if (type === 'text' || type === 'input_text' || type === 'output_text' || type === 'refusal')
    return [{ kind: 'text', text: text(given, 'text') || text(given, 'refusal') }]
  if (type === 'reasoning' || type === 'thinking') return [{ kind: 'thought', text: text(given, 'text') || text(given, 'thinking') }]
  if (type === 'tool-approval-request' || type === 'tool-approval-response') return approval(given, type)
  if (type === 'tool-call' || type.endsWith('tool_use'))
    return [
      {
        kind: 'call',
        id: text(given, 'toolCallId') || text(given, 'id'),
        name: toolName(given, type),
        input: json(field(given, 'input') ?? field(given, 'args')),
        isOpen: true,
      },
    ]
  if (type === 'tool-result' || type.endsWith('tool_result')) return [resultPiece(given, type)]
  if (type.startsWith('tool-') || type === 'dynamic-tool') return [uiTool(given, type)]
  return files.has(type) ? [{ kind: 'file', text: fileName(given, type) }] : []
}

const files: ReadonlySet<string> = new Set(['file', 'image', 'image_url', 'input_image', 'input_file', 'input_audio', 'document'])

/** Reads a request for approval as a call, and its answer as a result. */
function approval(part: object, type: string): Piece[] {
  const id = `approval ${text(part, 'approvalId')}`
  return type === 'tool-approval-request'
    ? [{ kind: 'call', id, name: '', input: '', isOpen: true }]
    : [{ kind: 'result', id, name: '', output: text(part, 'reason'), failed: false }]
}

function resultPiece(part: object, type: string): Piece {
  const output = field(part, 'output') ?? field(part, 'result') ?? field(part, 'content')
  const failed =
    field(part, 'is_error') === true || field(part, 'isError') === true || text(objectOf(output) ?? {}, 'type').startsWith('error')
  return {
    kind: 'result',
    id: text(part, 'toolCallId') || text(part, 'tool_use_id'),
    name: type === 'tool-result' ? toolName(part, type) : '',
    output: outputOf(output),
    failed,
  }
}

/** Reads a tool part of a UIMessage: a call that holds its output. */
function uiTool(part: object, type: string): Piece {
  const failure = text(part, 'errorText')
  const output = field(part, 'output')
  const done =
    failure === '' && output === undefined ? {} : failure === '' ? { output: outputOf(output) } : { output: failure, failed: true }
  const isOpen =
    ['', 'input-streaming', 'input-available', 'approval-requested', 'approval-responded'].includes(text(part, 'state')) &&
    output === undefined &&
    failure === ''
  return { kind: 'call', id: text(part, 'toolCallId'), name: toolName(part, type), input: json(field(part, 'input')), ...done, isOpen }
}

function toolName(part: object, type: string): string {
  return text(part, 'toolName') || text(part, 'name') || type.replace(/^tool-/, '')
}

function fileName(part: object, type: string): string {
  const name = text(part, 'filename') || text(part, 'mediaType')
  return name === '' ? `[${type}]` : `[${type} ${name}]`
}

/** Gives the words of an output: a text, `{ type, value }` of a ModelMessage, a list of blocks, or JSON without bytes. */
function outputOf(output: unknown): string {
  const given = objectOf(output)
  if (given !== undefined && 'type' in given && 'value' in given) return outputOf(given.value)
  if (
    Array.isArray(output) &&
    output.length > 0 &&
    output.every((part) => pieceOf(part).some(({ kind }) => kind === 'text' || kind === 'file'))
  ) {
    return output
      .flatMap(pieceOf)
      .flatMap((piece) => ('text' in piece ? [piece.text] : []))
      .join('\n\n')
  }
  return json(output)
}

/**
 * The longest text in a tool's JSON that is kept when it has no blank. A longer one may be a file's bytes, and is named
 * by its length.
 */
const longestWord = 4_096

function json(value: unknown): string {
  if (typeof value === 'string') return value
  return (
    JSON.stringify(value, (_key, inner: unknown) => {
      if (ArrayBuffer.isView(inner)) return `[${inner.byteLength} bytes]`
      return typeof inner === 'string' && inner.length > longestWord && !/\s/.test(inner) ? `[${inner.length} characters]` : inner
    }) ?? ''
  )
}

function partsOf(content: unknown): readonly object[] {
  return Array.isArray(content)
    ? content
        .map((part: unknown) => (typeof part === 'string' ? { type: 'text', text: part } : objectOf(part)))
        .filter((part) => part !== undefined)
    : []
}

function objectOf(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? value : undefined
}

function field(of: object, name: string): unknown {
  return Reflect.get(of, name)
}

function text(of: object, name: string): string {
  const value = field(of, name)
  return typeof value === 'string' ? value : ''
}
