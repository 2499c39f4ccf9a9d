import { elementPlaces, type JsonPlace, memberPlace, topPlace } from './json-places.ts'

/** Fields that mark a part as the end of what a provider caches: Anthropic's, and OpenAI's. */
const markFields: readonly string[] = ['cache_control', 'prompt_cache_breakpoint']

/** Parts that can be marked. An empty text cannot. */
const markable: ReadonlySet<string> = new Set(['text', 'image', 'document', 'tool_result', 'search_result'])

/** The most marks of a request. */
const maxMarks = 4

export function isMarkField(name: string): boolean {
  return markFields.includes(name)
}

/** Tells whether the host marks a part. */
export function isMarked(text: string, part: JsonPlace): boolean {
  return markFields.some((field) => isObject(text, memberPlace(text, part, field)))
}

/** Gives the mark at the top of a request. It stands for one on the last part that can have it. */
export function wholeMark(text: string): JsonPlace | undefined {
  const mark = memberPlace(text, topPlace(text), 'cache_control')
  return isObject(text, mark) ? mark : undefined
}

/** Gives the last part of a message that can be marked. */
export function markablePart(text: string, content: JsonPlace): JsonPlace | undefined {
  return elementPlaces(text, content).findLast((part) => {
    const type = valueOf(text, part, 'type')
    return typeof type === 'string' && markable.has(type) && (type !== 'text' || valueOf(text, part, 'text') !== '')
  })
}

/** Tells whether one more mark can be set, before all marks of messages. */
export function hasMarkLeft(text: string): boolean {
  const messages = memberPlace(text, topPlace(text), 'messages')
  const marks = [...text.matchAll(/"cache_control"\s*:/g)]
  // Two marks with different lifetimes must stand in order, so the host's own are not put after one of ours.
  return marks.length < maxMarks && !marks.some(({ index }) => messages !== undefined && index >= messages.from && index < messages.to)
}

function valueOf(text: string, part: JsonPlace, field: string): unknown {
  const place = text[part.from] === '{' ? memberPlace(text, part, field) : undefined
  return place === undefined ? undefined : JSON.parse(text.slice(place.from, place.to))
}

function isObject(text: string, place: JsonPlace | undefined): boolean {
  return place !== undefined && text[place.from] === '{'
}
