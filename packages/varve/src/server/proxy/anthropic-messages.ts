import { sessionInUserId } from './body-session.ts'
import { fieldOf, listField, textField } from '../../turns/outside-json.ts'
import { ReplyDraft } from '../../turns/reply-draft.ts'
import type { Utterance, SaidPart } from '../../turns/said.ts'
import type { ReplyReader, WireApi } from './wire-api.ts'

/** Anthropic's `POST /v1/messages`. */
export const anthropicMessages: WireApi = {
  name: 'messages',
  provider: 'anthropic',
  path: '/messages',
  list: 'messages',
  textType: 'text',
  saidIn(element) {
    const role = fieldOf(element, 'role')
    const content = fieldOf(element, 'content')
    if (role !== 'user' && role !== 'assistant') return []
    if (typeof content === 'string') return [{ role, parts: [{ type: 'text', text: content }] }]
    const blocks = listField(element, 'content')
    const results = blocks.filter((block) => fieldOf(block, 'type') === 'tool_result').map(resultOf)
    const parts = blocks.flatMap(partOf)
    if (role === 'assistant') return [{ role, parts }]
    const said: Utterance[] = results.length === 0 ? [] : [{ role: 'tool', parts: results }]
    return parts.length === 0 ? said : [...said, { role, parts }]
  },
  sessionIn: (body) => sessionInUserId(fieldOf(fieldOf(body, 'metadata'), 'user_id')),
  keptByProvider: () => false,
  reply: () => new AnthropicReply(),
  error: (status, code, message) => ({ type: 'error', error: { type: errorTypes[status] ?? 'api_error', message, code } }),
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  404: 'not_found_error',
  413: 'request_too_large',
  504: 'timeout_error',
}

function partOf(block: unknown): SaidPart[] {
  const type = textField(block, 'type') ?? ''
  if (type === 'text') return [{ type, text: textField(block, 'text') ?? '' }]
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') return [callOf(block)]
  if (type !== 'image' && type !== 'document') return []
  const mediaType = textField(fieldOf(block, 'source'), 'media_type') ?? type
  const filename = textField(block, 'title')
  return [{ type: 'file', mediaType, ...(filename === undefined ? {} : { filename }) }]
}

function callOf(block: unknown): SaidPart {
  return {
    type: 'tool-call',
    toolCallId: textField(block, 'id') ?? '',
    toolName: textField(block, 'name') ?? 'tool',
    input: fieldOf(block, 'input') ?? {},
  }
}

function resultOf(block: unknown): SaidPart {
  const content = fieldOf(block, 'content')
  const texts = listField(block, 'content').map((part) => textField(part, 'text') ?? `[${textField(part, 'type') ?? 'part'}]`)
  const value = typeof content === 'string' ? content : texts.join('\n\n')
  return { type: 'tool-result', toolCallId: textField(block, 'tool_use_id') ?? '', toolName: 'tool', output: { type: 'text', value } }
}

class AnthropicReply implements ReplyReader {
  readonly #draft = new ReplyDraft()

  event(data: unknown): void {
    const place = String(fieldOf(data, 'index') ?? 0)
    if (fieldOf(data, 'type') === 'content_block_start') this.#begins(place, fieldOf(data, 'content_block'), false)
    if (fieldOf(data, 'type') !== 'content_block_delta') return
    const delta = fieldOf(data, 'delta')
    if (fieldOf(delta, 'type') === 'text_delta') this.#draft.text(place, fieldOf(delta, 'text'))
    if (fieldOf(delta, 'type') === 'input_json_delta') this.#draft.call(place, undefined, undefined, fieldOf(delta, 'partial_json'))
  }

  whole(body: unknown): void {
    for (const [place, block] of listField(body, 'content').entries()) this.#begins(String(place), block, true)
  }

  said(): Utterance {
    return this.#draft.said()
  }

  #begins(place: string, block: unknown, isWhole: boolean): void {
    for (const part of partOf(block)) {
      if (part.type === 'text') this.#draft.text(place, part.text)
      // The input of a call that begins is empty: its pieces follow.
      if (part.type === 'tool-call')
        this.#draft.call(place, part.toolCallId, part.toolName, isWhole ? JSON.stringify(part.input) : undefined)
    }
  }
}
