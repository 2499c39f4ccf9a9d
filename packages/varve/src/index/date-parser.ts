import { createRequire } from 'node:module'
import type { en } from 'chrono-node'

/** Finds dates in the words of one language. */
type DateParser = Pick<typeof en, 'parse'>

const require = createRequire(import.meta.url)
const parsers = new Map<string, DateParser>()

/** Returns the parser that chrono-node has for a language. Each is loaded when it is first needed: all of them take 190 ms. */
export function dateParser(language: string): DateParser {
  const found = parsers.get(language)
  if (found !== undefined) return found
  const loaded: DateParser = require(`chrono-node/${language}`)
  parsers.set(language, loaded)
  return loaded
}
