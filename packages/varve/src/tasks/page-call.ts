import * as z from 'zod'
import type { PageEdit } from '../pages/page-edit.ts'
import { plainLines } from './quoted.ts'

/** The most calls that are read. It stops a model that repeats itself. */
export const maxCalls = 40

const tools = ['append', 'replace_lines', 'delete_lines', 'replace_section', 'replace_text'] as const

/** The schema of a call in a prompt. All fields are required, as strict providers want it: 0 and "" where a tool takes none. */
export const askedCall = z.object({
  tool: z.enum(tools),
  section: z.string(),
  from: z.number(),
  to: z.number(),
  old: z.string(),
  text: z.string(),
})

/** The schema of a line number. Null and any other value name no line. */
const line = z
  .unknown()
  .optional()
  .transform((given) => {
    if (typeof given === 'number') return given
    return typeof given === 'string' && /^\s*\[?\d{1,9}\]?\s*$/.test(given) ? Number(given.replaceAll(/[[\]\s]/g, '')) : Number.NaN
  })
const words = z
  .unknown()
  .optional()
  .transform((given) => (typeof given === 'string' ? given : ''))
const answered = z.object({
  tool: z.preprocess((given) => (typeof given === 'string' ? given.trim().toLowerCase() : given), z.enum(tools)),
  section: words,
  from: line,
  to: line,
  old: words,
  text: words,
})

/** Reads one call, or gives its fault. */
export function pageCall(received: unknown): PageEdit | string {
  const call = answered.safeParse(received).data
  if (call === undefined) return `"tool" must be one of ${tools.join(', ')}`
  const { tool, from, to, old } = call
  const text = unnumbered(plainLines(call.text))
  const name = call.section.trim()
  const within = name === '' ? {} : { section: name }
  switch (tool) {
    case 'append':
      return { tool, text, ...within }
    case 'replace_lines':
      return { tool, from, to, text }
    case 'delete_lines':
      return { tool, from, to }
    case 'replace_section':
      return name === '' ? 'it names no section' : { tool, section: name, text }
    case 'replace_text':
      return { tool, old: unnumbered(old), text, ...within }
  }
}

const number = /^\[\d{1,6}\](?: |$)/

/** Removes the numbers under which lines were shown, if a model copied them. */
function unnumbered(text: string): string {
  const lines = text.split('\n')
  return lines.every((one) => number.test(one)) ? lines.map((one) => one.replace(number, '')).join('\n') : text
}
