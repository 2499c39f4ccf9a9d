import { createRequire } from 'node:module'
import type { Chrono, Parser } from 'chrono-node'
import { requiredElsewhere } from '../packaged/packaged-file.ts'

/** Finds dates in the words of one language. */
type DateParser = Pick<Chrono, 'parse'>

/** Who writes a date with dots writes the day first. chrono-node's English reads 10.01.2024 as 1 October, and 25.01.2024 as 25 January. */
const dotted: Parser = {
  pattern: () => /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?!\d|\.\d)/,
  extract: (_context, { 1: day, 2: month, 3: year = '' }) => {
    const [date, monthOfYear] = [Number(day), Number(month)]
    if (date < 1 || date > 31 || monthOfYear < 1 || monthOfYear > 12) return null
    return { day: date, month: monthOfYear, year: Number(year) + (year.length === 2 ? 2_000 : 0) }
  },
}

const parsers = new Map<string, DateParser>()

/** Returns the parser that chrono-node has for a language. Each is loaded when it is first needed: all of them take 190 ms. */
export function dateParser(language: string): DateParser {
  const found = parsers.get(language)
  if (found !== undefined) return found
  const loaded = packageOf(language).casual.clone()
  if (language === 'en') loaded.parsers.unshift(dotted)
  parsers.set(language, loaded)
  return loaded
}

function packageOf(language: string): { readonly casual: Chrono } {
  try {
    const require = createRequire(import.meta.url)
    return require(`chrono-node/${language}`)
  } catch (error) {
    // In somebody's bundle. The build puts each language beside this module.
    return requiredElsewhere(`./dist/index/dates/${language}.js`, error)
  }
}
