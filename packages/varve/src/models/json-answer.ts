import { jsonrepair } from 'jsonrepair'

type JsonObject = Readonly<Record<string, unknown>>

/**
 * The longest text that is repaired; a longer one is read only when it is valid.
 *
 * jsonrepair is quadratic: 16 Ki characters with a usual fault take 3 ms, and the worst case found 40 ms. 240 Ki of
 * that case take 27 s.
 */
const maxRepairLength = 16_384

/** The most candidates that are tried, longest first. An answer is one object; anything else that looks like one is talk around it. */
const maxTries = 2

/** Reads a whole text as one JSON object, as structured output must be. */
export function strictObjectIn(text: string): JsonObject | undefined {
  return asObject(parsed(text))
}

/**
 * Finds the largest JSON object in an answer. It removes fences, words around the object and thoughts before it, and
 * repairs usual faults. Returns undefined for prose, and for JSON other than an object.
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

/** Removes a fence around the whole text only; an object fenced among words is found by its braces. */
function withoutFence(text: string): string {
  const isFenced = text.startsWith('```') && text.endsWith('```') && text.includes('\n')
  return isFenced ? text.slice(text.indexOf('\n') + 1, -3) : text
}

function repaired(text: string): JsonObject | undefined {
  if (text.length > maxRepairLength) return undefined
  // Words after the object prevent a repair when an unescaped quote hides the object's end.
  return asObject(repairedValue(text)) ?? asObject(repairedValue(text.slice(0, text.lastIndexOf('}') + 1)))
}

/** Repairs and parses a text. Returns undefined for other text, and for JSON nested deeper than the stack. */
function repairedValue(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text))
  } catch {
    return undefined
  }
}

/** Parses a text. Returns undefined for text other than JSON. */
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
 * The beginning of an object, so that braces in prose do not count. It is a quoted key, or a bare key before a value
 * that is not bare. Keys are bounded, so that the test at each brace stays cheap.
 */
const beginning = new RegExp(
  String.raw`\{\s*(?:"(?:[^"\\\n]|\\.){1,200}"\s*:|'[^'\n]{1,200}'\s*:|[“”][^“”\n]{1,200}[“”]\s*:|` +
    String.raw`[A-Za-z_$][\w$-]{0,200}\s*:\s*(?:["'[{\d-]|(?:[Tt]rue|[Ff]alse|null|None)\b))`,
  'y',
)

/** Returns the stretches from a possible object's start to its closing brace, or to the end of the text. */
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
