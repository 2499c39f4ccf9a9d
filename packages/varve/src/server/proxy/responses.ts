import { sessionInMetadata } from './body-session.ts'
import { fieldOf, isFields, listField, textField } from '../../turns/outside-json.ts'
import { openAiError, textAndFiles } from './openai-format.ts'
import { argumentsOf, ReplyDraft } from '../../turns/reply-draft.ts'
import type { Utterance } from '../../turns/said.ts'
import type { ReplyReader, WireApi } from './wire-api.ts'

/** OpenAI's `POST /v1/responses`. */
export const responses: WireApi = {
  name: 'responses',
  provider: 'openai',
  path: '/responses',
  list: 'input',
  textType: 'input_text',
  saidIn(element) {
    if (typeof element === 'string') return [{ role: 'user', parts: textAndFiles(element) }]
    const type = textField(element, 'type') ?? 'message'
    const role = fieldOf(element, 'role')
    if (type === 'message' && (role === 'user' || role === 'assistant')) return [{ role, parts: textAndFiles(fieldOf(element, 'content')) }]
    if (type.endsWith('_call_output')) return [resultOf(element)]
    if (type.endsWith('_call')) return [callOf(element, type)]
    return []
  },
  sessionIn(body) {
    const conversation = fieldOf(body, 'conversation')
    return (typeof conversation === 'string' ? conversation : textField(conversation, 'id')) ?? sessionInMetadata(fieldOf(body, 'metadata'))
  },
  keptByProvider: (body) => textField(body, 'previous_response_id') ?? (fieldOf(body, 'conversation') ?? null) !== null,
  reply: () => new ResponsesReply(),
  error: openAiError,
}

function callOf(element: unknown, type: string): Utterance {
  const json = textField(element, 'arguments') ?? textField(element, 'input')
  return {
    role: 'assistant',
    parts: [
      {
        type: 'tool-call',
        toolCallId: textField(element, 'call_id') ?? textField(element, 'id') ?? '',
        toolName: textField(element, 'name') ?? type.replace(/_call$/, ''),
        input: json === undefined ? (fieldOf(element, 'action') ?? {}) : argumentsOf(json),
      },
    ],
  }
}

function resultOf(element: unknown): Utterance {
  const output = fieldOf(element, 'output')
  const texts = textAndFiles(output).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const value = isFields(output) ? output : texts.join('\n\n')
  return {
    role: 'tool',
    parts: [
      {
        type: 'tool-result',
        toolCallId: textField(element, 'call_id') ?? '',
        toolName: 'tool',
        output: { type: typeof value === 'string' ? 'text' : 'json', value },
      },
    ],
  }
}

class ResponsesReply implements ReplyReader {
  readonly #draft = new ReplyDraft()
  id: string | undefined
  isUnderWay = false

  event(data: unknown): void {
    const type = textField(data, 'type') ?? ''
    const place = String(fieldOf(data, 'output_index') ?? 0)
    if (type === 'response.output_text.delta' || type === 'response.refusal.delta')
      this.#draft.text(`${place}.${String(fieldOf(data, 'content_index') ?? 0)}`, fieldOf(data, 'delta'))
    else if (type === 'response.output_item.added') this.#begins(place, fieldOf(data, 'item'))
    else if (/^response\..*(?:call_arguments|call_input)\.delta$/.test(type))
      this.#draft.call(place, undefined, undefined, fieldOf(data, 'delta'))
    const response = fieldOf(data, 'response')
    this.id ??= textField(response, 'id')
    this.#learnStatus(response)
    // A server that sends no pieces tells the whole at the end.
    if (type === 'response.completed' && this.#draft.isEmpty) this.whole(response)
  }

  whole(body: unknown): void {
    this.id ??= textField(body, 'id')
    this.#learnStatus(body)
    for (const [place, item] of listField(body, 'output').entries()) {
      if (fieldOf(item, 'type') !== 'message') this.#begins(String(place), item)
      for (const [part, content] of listField(item, 'content').entries())
        this.#draft.text(`${place}.${part}`, fieldOf(content, 'text') ?? fieldOf(content, 'refusal'))
    }
  }

  said(): Utterance {
    return this.#draft.said()
  }

  #learnStatus(response: unknown): void {
    const status = textField(response, 'status')
    if (status !== undefined) this.isUnderWay = status === 'queued' || status === 'in_progress'
  }

  /** Takes a tool call as it begins, or whole. Tools that the provider runs are named, their results left out. */
  #begins(place: string, item: unknown): void {
    const type = textField(item, 'type') ?? ''
    if (!type.endsWith('_call')) return
    const json = fieldOf(item, 'arguments') ?? fieldOf(item, 'input')
    this.#draft.call(place, fieldOf(item, 'call_id') ?? fieldOf(item, 'id'), fieldOf(item, 'name') ?? type.replace(/_call$/, ''), json)
  }
}
