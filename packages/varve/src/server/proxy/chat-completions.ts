import { sessionInMetadata } from './body-session.ts'
import { fieldOf, isFields, listField, textField } from '../../turns/outside-json.ts'
import { openAiError, textAndFiles } from './openai-format.ts'
import { argumentsOf, ReplyDraft } from '../../turns/reply-draft.ts'
import type { Utterance, SaidPart } from '../../turns/said.ts'
import type { ReplyReader, WireApi } from './wire-api.ts'

/** OpenAI's `POST /v1/chat/completions`. */
export const chatCompletions: WireApi = {
  name: 'chat-completions',
  provider: 'openai',
  path: '/chat/completions',
  list: 'messages',
  textType: 'text',
  saidIn(element) {
    const content = fieldOf(element, 'content')
    const role = fieldOf(element, 'role')
    if (role === 'user') return [{ role, parts: textAndFiles(content) }]
    if (role === 'assistant') return [{ role, parts: [...textAndFiles(content), ...callsOf(element)] }]
    if (role === 'tool' || role === 'function') return [{ role: 'tool', parts: [resultOf(element, content)] }]
    return []
  },
  sessionIn: (body) => sessionInMetadata(fieldOf(body, 'metadata')),
  keptByProvider: () => false,
  reply: () => new ChatReply(),
  error: openAiError,
}

function callsOf(element: unknown): SaidPart[] {
  return [...listField(element, 'tool_calls'), ...[fieldOf(element, 'function_call')].filter(isFields)].map((call) => {
    const named = fieldOf(call, 'function') ?? fieldOf(call, 'custom') ?? call
    return {
      type: 'tool-call',
      toolCallId: textField(call, 'id') ?? '',
      toolName: textField(named, 'name') ?? 'tool',
      input: argumentsOf(textField(named, 'arguments') ?? textField(named, 'input') ?? ''),
    }
  })
}

function resultOf(element: unknown, content: unknown): SaidPart {
  const text =
    typeof content === 'string'
      ? content
      : textAndFiles(content)
          .flatMap((part) => (part.type === 'text' ? [part.text] : []))
          .join('\n\n')
  return {
    type: 'tool-result',
    toolCallId: textField(element, 'tool_call_id') ?? '',
    toolName: textField(element, 'name') ?? 'tool',
    output: { type: 'text', value: text },
  }
}

/** Reads the first of the answers: with `n` above 1 the others are its variants. */
class ChatReply implements ReplyReader {
  readonly #draft = new ReplyDraft()

  event(data: unknown): void {
    for (const choice of listField(data, 'choices')) this.#take(choice, fieldOf(choice, 'delta'))
  }

  whole(body: unknown): void {
    for (const choice of listField(body, 'choices')) this.#take(choice, fieldOf(choice, 'message'))
  }

  said(): Utterance {
    return this.#draft.said()
  }

  #take(choice: unknown, delta: unknown): void {
    if ((fieldOf(choice, 'index') ?? 0) !== 0) return
    const content = fieldOf(delta, 'content')
    if (typeof content === 'string') this.#draft.text('text', content)
    for (const part of textAndFiles(Array.isArray(content) ? content : [])) if (part.type === 'text') this.#draft.text('text', part.text)
    const refusal = textField(delta, 'refusal')
    if (refusal !== undefined) this.#draft.text('text', refusal)
    // Spoken words come as their transcript.
    this.#draft.text('text', textField(fieldOf(delta, 'audio'), 'transcript'))
    for (const [place, call] of listField(delta, 'tool_calls').entries()) {
      const named = fieldOf(call, 'function') ?? fieldOf(call, 'custom')
      const json = fieldOf(named, 'arguments') ?? fieldOf(named, 'input')
      this.#draft.call(`call ${String(fieldOf(call, 'index') ?? place)}`, fieldOf(call, 'id'), fieldOf(named, 'name'), json)
    }
    const old = fieldOf(delta, 'function_call')
    if (isFields(old)) this.#draft.call('call', undefined, fieldOf(old, 'name'), fieldOf(old, 'arguments'))
  }
}
