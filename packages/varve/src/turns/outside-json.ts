/** An object of JSON from outside, of which nothing is known. */
export type JsonFields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is JsonFields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Gives a field of an object; undefined for anything else. */
export function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Gives a field that is a text that is not empty. */
export function textField(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name)
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Gives a field that is a list; an empty list for anything else. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name)
  return Array.isArray(list) ? list : []
}

/** Reads JSON; undefined when the text is none, or is nested too deep. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
