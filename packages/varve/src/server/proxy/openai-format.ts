import { fieldOf, textField } from '../../turns/outside-json.ts'
import type { SaidPart } from '../../turns/said.ts'

/** Reads the content of a message of OpenAI's: texts as they are, pictures and files by their name or type. */
export function textAndFiles(content: unknown): SaidPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown): SaidPart[] => {
    const text = textField(part, 'text') ?? textField(part, 'refusal')
    if (text !== undefined) return [{ type: 'text', text }]
    const type = textField(part, 'type') ?? ''
    if (type === '' || /text|refusal|reasoning/.test(type)) return []
    const filename = textField(part, 'filename') ?? textField(fieldOf(part, 'file'), 'filename')
    return [{ type: 'file', ...(filename === undefined ? { mediaType: type } : { filename }) }]
  })
}

export function openAiError(status: number, code: string, message: string): object {
  return { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code } }
}
