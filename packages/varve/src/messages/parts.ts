/**
 * The readable text of AI SDK parts (UIMessage or ModelMessage) and of Anthropic's blocks: texts as they are, tools by name, input and output,
 * files by name or type. Parts without any text are named by their types, so that a lone picture is still a message.
 */
export function textOfParts(parts: readonly unknown[]): string {
  const text = parts.map(textOfPart).filter((piece) => piece !== '').join('\n\n')
  if (text !== '' || parts.length === 0) return text
  return `[${[...new Set(parts.map(typeOf))].join(', ')}]`
}

function typeOf(part: unknown): string {
  return part !== null && typeof part === 'object' && 'type' in part && typeof part.type === 'string' && part.type !== '' ? part.type : 'part'
}

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part
  if (part === null || typeof part !== 'object') return ''
  const fields = part as Readonly<Record<string, unknown>>
  const type = typeof fields['type'] === 'string' ? fields['type'] : ''
  if (type === 'text') return typeof fields['text'] === 'string' ? fields['text'] : ''
  if (type === 'file' || type === 'image') return file(fields, type)
  if (type === 'tool-call' || type === 'tool_use') return `${toolName(fields, type)}(${json(fields['input'] ?? fields['args'])})`
  if (type === 'tool-result') return `${toolName(fields, type)}: ${output(fields['output'] ?? fields['result'])}`
  if (type === 'tool_result') return Array.isArray(fields['content']) ? textOfParts(fields['content']) : output(fields['content'])
  if (type.startsWith('tool-') || type === 'dynamic-tool') return uiTool(fields, type)
  return ''
}

function file(fields: Readonly<Record<string, unknown>>, type: string): string {
  const name = [fields['filename'], fields['mediaType']].find((value) => typeof value === 'string' && value !== '')
  return name === undefined ? `[${type}]` : `[${type} ${String(name)}]`
}

function uiTool(fields: Readonly<Record<string, unknown>>, type: string): string {
  const call = `${toolName(fields, type)}(${json(fields['input'])})`
  const failed = typeof fields['errorText'] === 'string' ? `: failed: ${fields['errorText']}` : ''
  return fields['output'] === undefined ? `${call}${failed}` : `${call}: ${output(fields['output'])}`
}

function toolName(fields: Readonly<Record<string, unknown>>, type: string): string {
  const name = [fields['toolName'], fields['name']].find((value) => typeof value === 'string')
  return name === undefined ? type.replace(/^tool-/, '') : String(name)
}

/** ModelMessage wraps outputs as { type: 'text' | 'json' | …, value }. */
function output(value: unknown): string {
  if (value !== null && typeof value === 'object' && 'type' in value && 'value' in value) return json(value.value)
  return json(value)
}

function json(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
