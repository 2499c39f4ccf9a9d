import { readFileSync } from 'node:fs'
import { stop } from '../shared/arguments.ts'

export type Json = Readonly<Record<string, unknown>>

/** Reads a JSON file whose outermost value is a list, or ends the process. */
export function readJsonList(path: string): Json[] {
  try {
    return list(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    return stop(`--data: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : []
}

export function record(value: unknown): Json {
  // The value comes from JSON.parse; each field is converted where it is read.
  return value !== null && typeof value === 'object' ? (value as Json) : {}
}
