/** The readable text of AI SDK parts (UIMessage or ModelMessage): texts as they are, tools by name, input and output. */
export function textOfParts(parts: readonly unknown[]): string {
  return parts.map(textOfPart).filter((text) => text !== '').join('\n\n')
}

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part
  if (part === null || typeof part !== 'object') return ''
  const fields = part as Readonly<Record<string, unknown>>
  const type = typeof fields['type'] === 'string' ? fields['type'] : ''
  if (type === 'text') return typeof fields['text'] === 'string' ? fields['text'] : ''
  if (type === 'file' || type === 'image') return typeof fields['filename'] === 'string' ? `[file ${fields['filename']}]` : ''
  if (type === 'tool-call') return `${toolName(fields, type)}(${json(fields['input'] ?? fields['args'])})`
  if (type === 'tool-result') return `${toolName(fields, type)}: ${output(fields['output'] ?? fields['result'])}`
  if (type.startsWith('tool-') || type === 'dynamic-tool') return uiTool(fields, type)
  return ''
}

function uiTool(fields: Readonly<Record<string, unknown>>, type: string): string {
  const call = `${toolName(fields, type)}(${json(fields['input'])})`
  const failed = typeof fields['errorText'] === 'string' ? `: failed: ${fields['errorText']}` : ''
  return fields['output'] === undefined ? `${call}${failed}` : `${call}: ${output(fields['output'])}`
}

function toolName(fields: Readonly<Record<string, unknown>>, type: string): string {
  return typeof fields['toolName'] === 'string' ? fields['toolName'] : type.replace(/^tool-/, '')
}

/** ModelMessage wraps outputs as { type: 'text' | 'json' | …, value }. */
function output(value: unknown): string {
  if (value !== null && typeof value === 'object' && 'type' in value && 'value' in value) return json(value.value)
  return json(value)
}

function json(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
