import { elementPlaces, type JsonPlace, memberPlace } from './json-places.ts'

/**
 * Puts remembered text into a request, as data within the person's own message. All other bytes stay as they are.
 *
 * It stands before the words of the newest question, and behind everything that is the same from turn to turn: a
 * provider's cache of the prompt holds until there. Where the host marks a part for the cache, it stands behind that
 * part. Results of tools come first in a message of Anthropic's, so it stands behind them too.
 */
export function injected(text: string, content: JsonPlace, memory: string, textType: string): string {
  const isText = text[content.from] === '"'
  const at = isText ? content.from + 1 : placeAmongParts(text, content)
  return text.slice(0, at) + (isText ? inText(memory, text[at] === '"') : inParts(text, at, memory, textType)) + text.slice(at)
}

function inText(memory: string, isAlone: boolean): string {
  return JSON.stringify(isAlone ? memory : `${memory}\n\n`).slice(1, -1)
}

function inParts(text: string, at: number, memory: string, type: string): string {
  const part = JSON.stringify({ type, text: memory })
  // Behind the bracket a part follows, since the message has words. Behind a part stands a comma or the end.
  return text[at - 1] === '[' ? `${part},` : `,${part}`
}

function placeAmongParts(text: string, content: JsonPlace): number {
  const last = elementPlaces(text, content).findLast((part) => {
    if (text[part.from] !== '{') return false
    if (memberPlace(text, part, 'cache_control') !== undefined) return true
    const type = memberPlace(text, part, 'type')
    return type !== undefined && JSON.parse(text.slice(type.from, type.to)) === 'tool_result'
  })
  return last?.to ?? content.from + 1
}
