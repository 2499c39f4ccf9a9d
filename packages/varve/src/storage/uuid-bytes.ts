import { parse, stringify, validate } from 'uuid'

/** A uuid as the store keeps it, in 16 bytes; undefined when the text is none (then nothing can have this id). */
export function uuidBytes(id: string): Uint8Array | undefined {
  return validate(id) ? parse(id) : undefined
}

export function uuidText(bytes: Uint8Array): string {
  return stringify(bytes)
}
