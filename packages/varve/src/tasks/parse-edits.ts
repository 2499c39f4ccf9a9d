import { type DatedFact, descriptionOf } from '../documents/bullets.ts'
import { maxDescriptionCharacters } from '../documents/limits.ts'
import { applyEdits, type RefusedEdit } from '../pages/edits.ts'
import type { PageEdit } from '../pages/page-edit.ts'
import { cleanedItem } from './cleaned-item.ts'
import { Grounding } from './grounding.ts'
import { maxCalls, pageCall } from './page-call.ts'
import { type Problem, problems } from './problem.ts'
import { speaksToReader } from './speaks-to-reader.ts'

/** The longest line that a model may write, in UTF-16 code units. */
const maxLine = 1_000

/** The result of an answer: the page after all of its calls, or the reason why it stays as it is. */
export type EditOutcome =
  | { readonly content: string; readonly description: string }
  | { readonly refused: readonly RefusedEdit[] }
  /** The characters that the page would have. */
  | { readonly tooLong: number }
  | { readonly problem: Problem }

/** The reason why an answer changed nothing. */
export type FailedEdit = Exclude<EditOutcome, { readonly content: string }>

interface Page {
  readonly name: string
  readonly description: string
  readonly content: string
}

/**
 * Applies an answer to `editorPrompt` to a document: all of its calls, or none. New lines hold no name or number that
 * neither the document nor the facts hold.
 */
export function parseEdits(
  object: Readonly<Record<string, unknown>>,
  page: Page,
  facts: readonly DatedFact[],
  maxCharacters: number,
): EditOutcome {
  const calls = object['calls']
  if (!Array.isArray(calls)) return { problem: problems.calls }
  if (calls.length > maxCalls) return { refused: [{ place: maxCalls, reason: `there are ${calls.length} calls, and may be ${maxCalls}` }] }
  const grounding = groundingOf(page, facts)
  const standing = new Set(page.content.split(/\r?\n/).map((line) => line.trim()))
  const read = calls.map((call): PageEdit | string => {
    const edit = pageCall(call)
    return typeof edit === 'string' ? edit : (textFault(edit, standing, grounding, maxCharacters) ?? edit)
  })
  const edits = read.filter((edit) => typeof edit !== 'string')
  if (edits.length < read.length)
    return { refused: read.flatMap((edit, place) => reasonsOf(page, edit).map((reason) => ({ place, reason }))) }
  const result = applyEdits(page.content, edits)
  if ('refused' in result) return result
  if (result.content.length > maxCharacters) return { tooLong: result.content.length }
  return { content: result.content, description: descriptionIn(object['description'], page, result.content, facts) }
}

/** Gives the reasons against one call by itself. */
function reasonsOf({ content }: Page, edit: PageEdit | string): string[] {
  if (typeof edit === 'string') return [edit]
  const result = applyEdits(content, [edit])
  return 'refused' in result ? result.refused.map(({ reason }) => reason) : []
}

/** Makes the grounding: the page is source 1, and each fact follows as a source. */
function groundingOf({ name, description, content }: Page, facts: readonly DatedFact[]): Grounding {
  const known = facts.map(({ fact, day }, at) => ({ number: at + 2, text: fact, head: day, isPersons: true }))
  const sources = [{ number: 1, text: `${name}\n${description}\n${content}`, head: '', isPersons: true }, ...known]
  // Lists of names have as many capitals as German has. German is told by its small words.
  return new Grounding(
    sources,
    '',
    (sources
      .map(({ text }) => text)
      .join('\n')
      .match(german)?.length ?? 0) < leastGerman,
  )
}

const german = /(?<!\p{L})(?:und|der|die|das|ist|nicht|ein|eine|mit|für|auf|im|wir|ich|sie|wird|hat|von|zu)(?!\p{L})/giu
const leastGerman = 3

function textFault(edit: PageEdit, standing: ReadonlySet<string>, grounding: Grounding, maxCharacters: number): string | undefined {
  if (!('text' in edit)) return undefined
  if (edit.text.length > maxCharacters) return `its text has ${edit.text.length} characters, and the document may have ${maxCharacters}`
  for (const line of edit.text.split('\n').map((one) => one.trim())) {
    const fault = standing.has(line) ? undefined : lineFault(line, grounding)
    if (fault !== undefined) return fault
  }
  return undefined
}

const heading = /^#{1,6} /
const mark = /^(?:[-*+>]|\d{1,3}[.)]|\[[ x]\])\s+/i

function lineFault(line: string, grounding: Grounding): string | undefined {
  if (line.length > maxLine) return `a line has ${line.length} characters, and may have ${maxLine}`
  const text = line.replace(heading, '').replace(mark, '')
  if (speaksToReader(text)) return 'a line speaks to the reader instead of telling what is so'
  // Cells and marked passages begin as sentences do; a heading has capitals of its own.
  const said = (heading.test(line) ? text.toLowerCase() : text).replaceAll(/[|*]+/g, '. ')
  return grounding.cite(said, [1]) === undefined
    ? 'it holds names, numbers or addresses that neither the document nor the facts hold'
    : undefined
}

/** Takes the model's description when it is one grounded sentence, or else makes one from the content. */
function descriptionIn(given: unknown, page: Page, content: string, facts: readonly DatedFact[]): string {
  const cleaned = typeof given === 'string' ? cleanedItem(given) : undefined
  const isGood =
    cleaned !== undefined &&
    'text' in cleaned &&
    cleaned.text.length <= maxDescriptionCharacters &&
    groundingOf({ ...page, content }, facts).cite(cleaned.text, [1]) !== undefined
  return isGood ? cleaned.text : descriptionOf(page.name, content)
}
