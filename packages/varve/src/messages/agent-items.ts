type Fields = Readonly<Record<string, unknown>>

/** Items of the OpenAI Agents SDK by which an assistant calls a tool. The first is of OpenAI's wire format too. */
const calls = new Map<string, (fields: Fields) => string>([
  ['function_call', ({ name, arguments: given }) => `${textOf(name)}(${textOf(given)})`],
  ['hosted_tool_call', ({ name, arguments: given, output }) => `${textOf(name)}(${textOf(given)})${after(': ', textOf(output))}`],
  ['tool_search_call', ({ arguments: given }) => `tool_search(${textOf(given)})`],
  ['computer_call', ({ action, actions }) => `computer(${textOf(actions ?? action)})`],
  ['shell_call', ({ action }) => `shell(${listOf(Object(action).commands).map(textOf).join('\n')})`],
  ['apply_patch_call', ({ operation }) => `apply_patch(${patchOf(Object(operation))})`],
  ['program', ({ code }) => `program(${textOf(code)})`],
])

/** Items with a tool's result. */
const results = new Map<string, (fields: Fields) => string>([
  ['function_call_output', ({ output }) => outputOf(output)],
  ['function_call_result', ({ name, output }) => `${textOf(name)}: ${outputOf(output)}`],
  [
    'tool_search_output',
    ({ tools }) =>
      listOf(tools)
        .map((tool) => textOf(Object(tool).name))
        .filter(Boolean)
        .join(', '),
  ],
  ['computer_call_result', () => ''],
  [
    'shell_call_output',
    ({ output }) =>
      listOf(output)
        .map((one) => shellOf(Object(one)))
        .filter(Boolean)
        .join('\n'),
  ],
  ['apply_patch_call_output', ({ output }) => textOf(output)],
  ['program_output', ({ output }) => textOf(output)],
])

/** Tells whether a type is that of an item by which an assistant calls a tool. */
export function isAgentCall(type: string): boolean {
  return calls.has(type)
}

/** Tells whether a type is that of an item with a tool's result. */
export function isAgentResult(type: string): boolean {
  return results.has(type)
}

/** Gives the readable text of an item with a tool's call or result. Undefined for any other type. */
export function agentItemText(fields: Fields, type: string): string | undefined {
  return (calls.get(type) ?? results.get(type))?.(fields)
}

/** Gives a value as text: a string as it is, anything else as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : (JSON.stringify(value) ?? '')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function after(sign: string, text: string): string {
  return text === '' ? '' : `${sign}${text}`
}

function patchOf({ type, path, diff }: Fields): string {
  return `${textOf(type)} ${textOf(path)}${after('\n', textOf(diff))}`
}

function shellOf({ stdout, stderr }: Fields): string {
  return [textOf(stdout), textOf(stderr)].filter(Boolean).join('\n')
}

/** Reads a function's output: a text, one part or several. Pictures and files are named by their types. */
function outputOf(output: unknown): string {
  if (output === null || typeof output !== 'object') return textOf(output)
  const pieces = (Array.isArray(output) ? output : [output]).map((part: unknown) => {
    const { type, text }: Fields = Object(part)
    if (typeof text === 'string') return text
    return typeof type === 'string' ? `[${type}]` : textOf(part)
  })
  return pieces.join('\n\n')
}
