import { hasMarkLeft, isMarked, markablePart, wholeMark } from './cache-marks.ts'
import type { LastQuestion } from './conversation.ts'
import { elementPlaces, type JsonPlace, memberPlace } from './json-places.ts'

/** Where remembered text stands in a message: behind so many of its parts, or within its text before the words. */
export type MemoryPlace = number | 'in text'

interface Edit {
  readonly at: JsonPlace
  readonly put: string
}

/**
 * Tells where remembered text belongs: before the words of the newest question, and behind everything that is the same
 * from turn to turn, so that a provider's cache of the prompt holds until there. Where the host marks a part for the
 * cache, it stands behind that part. Results of tools come first in a message of Anthropic's, so it stands behind them.
 * Where the host marks the request as a whole, it stands behind the whole question.
 */
export function memoryPlace(text: string, question: LastQuestion): MemoryPlace {
  const { content } = question
  const isText = text[content.from] === '"'
  if (movedMark(text, question) !== undefined) return isText ? 1 : elementPlaces(text, content).length
  if (isText) return 'in text'
  return (
    1 +
    elementPlaces(text, content).findLastIndex((part) => {
      if (text[part.from] !== '{') return false
      if (isMarked(text, part)) return true
      const type = memberPlace(text, part, 'type')
      return type !== undefined && JSON.parse(text.slice(type.from, type.to)) === 'tool_result'
    })
  )
}

/**
 * Puts remembered text into a request, as data within the person's own message. All other bytes stay as they are, but
 * for a mark of the whole request: it goes to the last part of the question, so that what is cached is what the host
 * sends again. Anthropic looks for that up to 20 parts before a mark. A turn with tools may have more: then the question
 * before is marked too.
 */
export function injected(text: string, question: LastQuestion, memory: string, place: MemoryPlace, type: 'text' | 'input_text'): string {
  const { content, before } = question
  const mark = movedMark(text, question)
  const json = mark === undefined ? '' : `,"cache_control":${text.slice(mark.from, mark.to)}`
  const edits = [...(mark === undefined ? [] : [{ at: mark, put: 'null' }]), ...placed(text, content, memory, place, type, json)]
  if (mark !== undefined && before !== undefined && hasMarkLeft(text)) edits.push(...markedPart(text, before, json))
  return edited(text, edits)
}

/** The mark of the whole request, when it can go to the newest question and that is the last message. */
function movedMark(text: string, { content, isNewest }: LastQuestion): JsonPlace | undefined {
  const mark = isNewest ? wholeMark(text) : undefined
  const canHave = text[content.from] === '"' || markablePart(text, content) !== undefined
  return canHave ? mark : undefined
}

function placed(text: string, content: JsonPlace, memory: string, place: MemoryPlace, type: string, mark: string): Edit[] {
  const part = JSON.stringify({ type, text: memory })
  if (text[content.from] !== '"') {
    const parts = elementPlaces(text, content)
    const last = place === 'in text' || place === 0 ? undefined : (parts[place - 1] ?? parts.at(-1))
    const at = last?.to ?? content.from + 1
    return [...markedPart(text, content, mark), { at: { from: at, to: at }, put: last === undefined ? `${part},` : `,${part}` }]
  }
  const words = text.slice(content.from, content.to)
  if (place !== 'in text') {
    const own = `{"type":"${type}","text":${words}${mark}}`
    return [{ at: content, put: place === 0 ? `[${part},${own}]` : `[${own},${part}]` }]
  }
  const at = content.from + 1
  return [{ at: { from: at, to: at }, put: JSON.stringify(words === '""' ? memory : `${memory}\n\n`).slice(1, -1) }]
}

/** Marks the last part of a message that can be marked, unless it is. */
function markedPart(text: string, content: JsonPlace, mark: string): Edit[] {
  if (mark === '') return []
  if (text[content.from] === '"') return [{ at: content, put: `[{"type":"text","text":${text.slice(content.from, content.to)}${mark}}]` }]
  const part = markablePart(text, content)
  if (part === undefined || isMarked(text, part)) return []
  const own = memberPlace(text, part, 'cache_control')
  if (own === undefined) return [{ at: { from: part.to - 1, to: part.to - 1 }, put: mark }]
  return [{ at: own, put: mark.slice(mark.indexOf('{')) }]
}

function edited(text: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((one, other) => one.at.from - other.at.from)
  const pieces = inOrder.map(({ at, put }, place) => text.slice(inOrder[place - 1]?.at.to ?? 0, at.from) + put)
  return pieces.join('') + text.slice(inOrder.at(-1)?.at.to ?? 0)
}
