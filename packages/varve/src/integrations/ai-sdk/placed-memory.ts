import { isFields } from '../../turns/outside-json.ts'
import type { PromptMessage } from './model-call.ts'

/** Fields of `providerOptions` by which a host marks the end of what a provider caches: Anthropic's, Bedrock's, OpenAI's. */
const markFields: ReadonlySet<string> = new Set([
  ...['cacheControl', 'cache_control', 'cachePoint'],
  ...['promptCacheBreakpoint', 'prompt_cache_breakpoint'],
])

/**
 * Puts remembered text into a prompt, as data in a user's message: before the words of the newest question, and behind
 * everything that is the same from turn to turn, so that a provider's cache holds until there. It stands behind a part that the
 * host marks for the cache; behind a message that is marked as a whole, in one of its own. The proxy does the same.
 */
export function placedMemory(prompt: readonly PromptMessage[], place: number, memory: string): PromptMessage[] {
  const question = prompt[place]
  if (question === undefined) return [...prompt]
  const own = isMarked(question) ? [question, { role: 'user', content: [textPart(memory)] }] : [within(question, memory)]
  return [...prompt.slice(0, place), ...own, ...prompt.slice(place + 1)]
}

function within(question: PromptMessage, memory: string): PromptMessage {
  const { content } = question
  if (typeof content === 'string') return { ...question, content: `${memory}\n\n${content}` }
  const behind = content.findLastIndex(isMarked) + 1
  const [first, ...others] = content
  // One text stays one text: some servers of open models read no lists of parts.
  if (behind === 0 && others.length === 0 && isText(first))
    return { ...question, content: [{ ...first, text: `${memory}\n\n${first.text}` }] }
  return { ...question, content: [...content.slice(0, behind), textPart(memory), ...content.slice(behind)] }
}

function textPart(text: string): object {
  return { type: 'text', text }
}

function isText(part: object | undefined): part is { readonly type: 'text'; readonly text: string } {
  return isFields(part) && part['type'] === 'text' && typeof part['text'] === 'string'
}

/** Tells whether the host marks a message or a part. */
function isMarked(marked: object): boolean {
  const options = isFields(marked) ? marked['providerOptions'] : undefined
  if (!isFields(options)) return false
  return Object.values(options).some((provider) => isFields(provider) && Object.keys(provider).some((field) => markFields.has(field)))
}
