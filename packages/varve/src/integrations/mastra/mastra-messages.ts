import type { MessageInput } from '../../messages/message.ts'
import { hostMessageId } from '../../turns/host-names.ts'
import { fieldOf, textField } from '../../turns/outside-json.ts'
import { isOwnTool } from '../../turns/own-tools.ts'
import { messageToStore, type SaidPart, type Utterance } from '../../turns/said.ts'
import type { EndedTurn } from '../../turns/turn-door.ts'
import type { MastraMessage } from './mastra-shapes.ts'

/** Gives the words of a message: its texts. */
export function mastraWords({ content }: MastraMessage): string {
  const texts = content.parts.flatMap((part) => (fieldOf(part, 'type') === 'text' ? [textField(part, 'text') ?? ''] : []))
  return texts.join('\n\n')
}

/**
 * Gives what a person said in this run: the user's messages after the newest reply. What stands before it, a host sends
 * as history.
 */
export function saidNow(messages: readonly MastraMessage[]): readonly MastraMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1).filter(({ role }) => role === 'user')
}

/** Gives the replies of a run. Of one that was stopped, Mastra may give the words of its last step once more, as a message of their own. */
export function repliesIn(messages: readonly MastraMessage[], isStopped: boolean): readonly MastraMessage[] {
  const replies = messages.filter(({ role }) => role === 'assistant')
  const [before, last] = replies.slice(-2)
  const isCopy = isStopped && before !== undefined && last !== undefined && mastraWords(before).endsWith(mastraWords(last))
  return isCopy ? replies.slice(0, -1) : replies
}

/**
 * Gives a message as `append` takes it: words, calls and results of tools apart. The first has Mastra's own id, the others
 * the place of their first part, or the call's id. A message that grows after a pause has the same ids for what it had.
 */
export function mastraToStore({ id, role, content }: MastraMessage): MessageInput[] {
  const speaker = role === 'assistant' ? 'assistant' : 'user'
  const said: { readonly place: string; readonly utterance: Utterance }[] = []
  let run: { readonly place: string; readonly parts: SaidPart[]; readonly results: typeof said } | undefined
  const endRun = (): void => {
    if (run !== undefined) said.push({ place: run.place, utterance: { role: speaker, parts: run.parts } }, ...run.results)
    run = undefined
  }
  for (const [index, part] of content.parts.entries()) {
    const read = partOf(part)
    if (read === undefined || (read.part.type === 'text' && run !== undefined && run.results.length > 0)) endRun()
    if (read === undefined) continue
    run ??= { place: String(index), parts: [], results: [] }
    run.parts.push(read.part)
    if (read.result !== undefined) run.results.push({ place: read.result.toolCallId, utterance: { role: 'tool', parts: [read.result] } })
  }
  endRun()
  return said.flatMap(({ place, utterance }, at) => messageToStore(utterance, hostMessageId(at === 0 ? id : `${id}#${place}`)) ?? [])
}

/**
 * Gives what was said in a run until the last tool was called, with its result, and what was said after it. The begin of a message
 * has the ids that it has in the whole.
 */
export function splitAtTools(replies: readonly MastraMessage[]): Pick<EndedTurn, 'beforeTools' | 'last'> {
  const isCall = (part: unknown): boolean => fieldOf(part, 'type') === 'tool-invocation'
  const called = replies.findLastIndex(({ content }) => content.parts.some(isCall))
  const begun = replies.slice(0, called + 1).map((message, at) => {
    const { parts } = message.content
    return at < called ? message : { ...message, content: { parts: parts.slice(0, parts.findLastIndex(isCall) + 1) } }
  })
  const beforeTools = begun.flatMap(mastraToStore)
  const last = replies.flatMap(mastraToStore).slice(beforeTools.length)
  return { beforeTools: called === -1 ? undefined : beforeTools, last }
}

interface ReadPart {
  readonly part: SaidPart
  readonly result?: Extract<SaidPart, { type: 'tool-result' }>
}

/** Reads a part. Undefined at the border of a step. Thoughts, sources and the host's own data are left out. */
function partOf(part: unknown): ReadPart | undefined {
  const type = fieldOf(part, 'type')
  if (type === 'tool-invocation') return toolOf(fieldOf(part, 'toolInvocation'))
  if (type === 'file') {
    const mediaType = textField(part, 'mediaType') ?? textField(part, 'mimeType')
    const filename = textField(part, 'filename')
    return { part: { type, ...(mediaType === undefined ? {} : { mediaType }), ...(filename === undefined ? {} : { filename }) } }
  }
  if (type === 'step-start') return undefined
  return { part: { type: 'text', text: type === 'text' ? (textField(part, 'text') ?? '') : '' } }
}

function toolOf(invocation: unknown): ReadPart {
  const toolCallId = textField(invocation, 'toolCallId') ?? ''
  const toolName = textField(invocation, 'toolName') ?? 'tool'
  if (isOwnTool(toolName)) return { part: { type: 'text', text: '' } }
  const state = fieldOf(invocation, 'state')
  const part = { type: 'tool-call', toolCallId, toolName, input: fieldOf(invocation, 'args') ?? {} } as const
  if (state === 'output-error')
    return { part, result: result({ type: 'text', value: `failed: ${textField(invocation, 'errorText') ?? ''}` }) }
  return state === 'result' ? { part, result: result({ type: 'json', value: fieldOf(invocation, 'result') ?? null }) } : { part }

  function result(output: { readonly type: 'text' | 'json'; readonly value: unknown }) {
    return { type: 'tool-result', toolCallId, toolName, output } as const
  }
}
