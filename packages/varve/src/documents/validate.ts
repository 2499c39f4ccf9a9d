import { InvalidOption } from '../errors/invalid-option.ts'
import { byHand, extractive } from '../models/writer.ts'
import { forgetting, template } from '../storage/erase/page-erasure.ts'
import { checkText } from '../messages/validate.ts'
import type { PageEdit } from '../pages/page-edit.ts'
import { shown } from '../errors/shown.ts'
import { reasonToRefuse } from '../scope/name.ts'
import { documentChars } from './document.ts'
import { nameKey } from './names.ts'

/** The longest text that is checked, in bytes of UTF-8: the size of the longest document. */
const maxTextBytes = 3 * documentChars.most

/** The most edits of one call. */
const mostEdits = 200

/**
 * Checks a document's name and gives it unchanged. Names obey the rule of users' and sessions' (scope/name.ts), in one
 * line, with a letter or a digit.
 */
export function documentName(received: unknown, option = 'name'): string {
  const reason = reasonToRefuse(received)
  if (reason !== undefined || typeof received !== 'string')
    throw new InvalidOption({ option, received: shown(received), expected: `a name, and it ${reason}` })
  if (/[\p{Cc}\u2028\u2029]/u.test(received) || received !== received.trim())
    throw new InvalidOption({ option, received: shown(received), expected: 'a name in one line, without blanks around it' })
  if (!/[\p{L}\p{N}]/u.test(received) || nameKey(received) === '')
    throw new InvalidOption({ option, received: shown(received), expected: 'a name with a letter or a digit' })
  return received
}

/** Names that Varve itself writes as a writer. */
const reserved: ReadonlySet<string> = new Set([byHand, extractive, forgetting, template])

/** Tells whether a writer's name stands for a person or for Varve itself. */
export function isReservedWriter(name: string): boolean {
  return reserved.has(name)
}

/** Checks the name of an agent. Its revisions are told by it from a person's and from Varve's own. */
export function agentName(received: unknown): string {
  const name = documentName(received, 'writer')
  if (isReservedWriter(name))
    throw new InvalidOption({
      option: 'writer',
      received: shown(name),
      expected: `the name of an agent, none of ${[...reserved].join(', ')}`,
    })
  return name
}

/** Checks a content or a description and gives it unchanged. */
export function documentText(received: unknown, option: string): string {
  if (received === '') return ''
  checkText(option, received, maxTextBytes, (field, reason) => {
    throw new InvalidOption({ option: field, received: shown(received), expected: `text, but it ${reason}` })
  })
  return received
}

/** Checks the form of edits. Their lines and sections are looked up only when the edits are made. */
export function pageEdits(received: unknown): readonly PageEdit[] {
  if (!Array.isArray(received) || received.length === 0 || received.length > mostEdits) {
    throw new InvalidOption({
      option: 'change',
      received: shown(received),
      expected: `the whole content as text, or a list of 1 to ${mostEdits} edits`,
    })
  }
  return Array.from(received, (one: unknown, place) => pageEdit(one, `edits[${place}]`))
}

const tools = ['append', 'replace_lines', 'delete_lines', 'replace_section', 'replace_text'] as const

function pageEdit(received: unknown, option: string): PageEdit {
  const fields: Readonly<Record<string, unknown>> = typeof received === 'object' && received !== null ? { ...received } : {}
  const text = (name: string): string => documentText(fields[name], `${option}.${name}`)
  const line = (name: string): number => {
    const number = fields[name]
    if (typeof number !== 'number')
      throw new InvalidOption({ option: `${option}.${name}`, received: shown(number), expected: 'the number of a line, from 1' })
    return number
  }
  const section = fields['section'] === undefined || fields['section'] === null ? {} : { section: text('section') }
  const tool = tools.find((known) => known === fields['tool'])
  if (tool === 'append') return { tool, text: text('text'), ...section }
  if (tool === 'replace_lines') return { tool, from: line('from'), to: line('to'), text: text('text') }
  if (tool === 'delete_lines') return { tool, from: line('from'), to: line('to') }
  if (tool === 'replace_section') return { tool, section: text('section'), text: text('text') }
  if (tool === 'replace_text') return { tool, old: text('old'), text: text('text'), ...section }
  throw new InvalidOption({ option: `${option}.tool`, received: shown(fields['tool']), expected: `one of ${tools.join(', ')}` })
}
