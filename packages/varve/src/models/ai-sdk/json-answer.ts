import { jsonrepair } from 'jsonrepair'

type JsonObject = Readonly<Record<string, unknown>>

/**
 * jsonrepair is quadratic: 16 Ki characters with a usual fault take 3 ms and the worst that was found 40, 240 Ki of that
 * 27 s. A longer text is read when it is valid, and not repaired.
 */
const maxRepairLength = 16_384

/** How many of the longest candidates are tried: an answer is one object, what else looks like one is said around it. */
const maxTries = 2

/** A whole text that is one JSON object: what structured output is. */
export function strictObjectIn(text: string): JsonObject | undefined {
  return asObject(parsed(text))
}

/**
 * The largest JSON object in an answer, with the fences, the words around it and thoughts before it taken off, and usual
 * faults repaired. Undefined for prose, and for JSON that is not an object.
 */
export function objectIn(answer: string): JsonObject | undefined {
  const text = withoutFence(answer.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim())
  const whole = parsed(text)
  if (whole !== undefined) return asObject(whole)
  const longest = candidatesIn(text)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, maxTries)
  for (const candidate of longest) {
    const object = asObject(parsed(candidate)) ?? repaired(candidate)
    if (object !== undefined) return object
  }
  return undefined
}

/** Of a fence around the whole text only; what stands in one among words is found by its braces. */
function withoutFence(text: string): string {
  const isFenced = text.startsWith('```') && text.endsWith('```') && text.includes('\n')
  return isFenced ? text.slice(text.indexOf('\n') + 1, -3) : text
}

function repaired(text: string): JsonObject | undefined {
  if (text.length > maxRepairLength) return undefined
  // Words that follow an object whose end is not found, for a quote in it that is not escaped, keep it from being repaired.
  return asObject(repairedValue(text)) ?? asObject(repairedValue(text.slice(0, text.lastIndexOf('}') + 1)))
}

/** Undefined for what is neither JSON nor repairable, or is nested deeper than the stack. */
function repairedValue(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text))
  } catch {
    return undefined
  }
}

/** Undefined for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * How an object begins, so that braces in prose are not taken for one: a quoted key, or a bare one before a value that is
 * not bare itself. Keys are bounded, so that looking at each brace stays cheap.
 */
const beginning = new RegExp(
  String.raw`\{\s*(?:"(?:[^"\\\n]|\\.){1,200}"\s*:|'[^'\n]{1,200}'\s*:|[“”][^“”\n]{1,200}[“”]\s*:|` +
    String.raw`[A-Za-z_$][\w$-]{0,200}\s*:\s*(?:["'[{\d-]|(?:[Tt]rue|[Ff]alse|null|None)\b))`,
  'y',
)

/** From where an object may begin to where its brace is closed, or to the end of the text. */
function candidatesIn(text: string): string[] {
  const candidates: string[] = []
  let at = text.indexOf('{')
  while (at !== -1) {
    beginning.lastIndex = at
    const end = beginning.test(text) ? endOf(text, at) : at + 1
    if (end > at + 1) candidates.push(text.slice(at, end))
    at = text.indexOf('{', end)
  }
  return candidates
}

function endOf(text: string, start: number): number {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '{') depth += 1
    else if (character === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}
