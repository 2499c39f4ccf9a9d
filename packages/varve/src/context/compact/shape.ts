import { InvalidOption } from '../../errors/invalid-option.ts'
import { atOnce, type Sliced } from '../../messages/slices.ts'
import { shown } from '../../errors/shown.ts'

/** The shapes of messages that hosts hold. A plain `{ role, content: string }` fits all but UIMessages. */
const shapes = ['own', 'AI SDK ModelMessage', 'AI SDK UIMessage', 'Anthropic', 'OpenAI chat', 'OpenAI Responses'] as const
export type Shape = (typeof shapes)[number]

const [own, model, ui, anthropic, chat, responses] = shapes
const plain: readonly Shape[] = [own, model, anthropic, chat, responses]
const rolesOf: Readonly<Record<string, readonly Shape[]>> = {
  user: shapes,
  assistant: shapes,
  system: [own, model, ui, chat, responses],
  tool: [own, model, chat],
  developer: [chat, responses],
  function: [chat],
}
/** The types of parts by the shapes that have them. A text, a picture or a file fits several. */
const typesOf: Readonly<Record<string, readonly Shape[]>> = {
  'tool-call': [own, model],
  'tool-result': [own, model],
  'tool-approval-request': [own, model],
  'tool-approval-response': [own, model],
  reasoning: [own, model],
  file: [own, model, chat],
  text: [own, model, anthropic, chat],
  image: [own, model, anthropic],
  document: [anthropic],
  thinking: [anthropic],
  redacted_thinking: [anthropic],
  image_url: [chat],
  input_audio: [chat],
  refusal: [chat, responses],
  input_text: [responses],
  output_text: [responses],
  input_image: [responses],
  input_file: [responses],
}

/**
 * Finds the shape of a list of messages. InvalidOption names the first message that has none, or another than those
 * before it.
 */
export function shapeOf(messages: readonly unknown[]): Shape {
  return atOnce(tellingShape(messages))
}

/** Finds the shape in slices. */
export function* tellingShape(messages: readonly unknown[]): Sliced<Shape> {
  let possible: readonly Shape[] = shapes
  for (const [place, message] of messages.entries()) {
    yield
    const its = shapesOf(message)
    if (its.length === 0) refuse(place, shown(message), `a message as one of these has it: ${shapes.join(', ')}`)
    const left = possible.filter((shape) => its.includes(shape))
    if (left.length === 0) refuse(place, its.join(' or '), `${possible.join(' or ')}, as the messages before it: one shape in a list`)
    possible = left
  }
  return possible[0] ?? own
}

function refuse(place: number, received: string, expected: string): never {
  throw new InvalidOption({ option: `messages[${place}]`, received, expected })
}

function shapesOf(message: unknown): readonly Shape[] {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return []
  const [role, content, parts, type] = ['role', 'content', 'parts', 'type'].map((name): unknown => Reflect.get(message, name))
  if (role === undefined)
    return typeof type === 'string' && (type === 'reasoning' || type === 'item_reference' || /_call(_output)?$/.test(type))
      ? [responses]
      : []
  const byRole = typeof role === 'string' ? (rolesOf[role] ?? []) : []
  return byContent(message, content, parts).filter((shape) => byRole.includes(shape))
}

function byContent(message: object, content: unknown, parts: unknown): readonly Shape[] {
  if ('tool_calls' in message || 'tool_call_id' in message || 'function_call' in message)
    return typeof content === 'string' || content === null || content === undefined || Array.isArray(content) ? [chat] : []
  if (content === undefined) return Array.isArray(parts) ? [ui] : []
  if (content === null) return [chat]
  if (typeof content === 'string') return Array.isArray(parts) ? [own] : plain
  if (!Array.isArray(content)) return []
  return content.reduce((left: readonly Shape[], part: unknown) => left.filter((shape) => ofPart(part).includes(shape)), plain)
}

function ofPart(part: unknown): readonly Shape[] {
  if (typeof part === 'string') return [own]
  if (typeof part !== 'object' || part === null) return []
  const type: unknown = Reflect.get(part, 'type')
  if (typeof type !== 'string') return []
  if (/tool_(use|result)$/.test(type)) return [anthropic]
  // An unknown type may be newer than this table: it fits the shape of the others.
  return typesOf[type] ?? plain
}
