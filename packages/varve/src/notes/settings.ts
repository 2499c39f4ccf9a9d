import { estimateTokenCount } from 'tokenx'
import { InvalidOption } from '../errors/invalid-option.ts'
import { shown } from '../scope/name.ts'
import { givenObject, inRange, unknownKey } from '../scope/options.ts'
import { templatePage } from './template-page.ts'
import { type NotesHeading, usualTemplate } from './template.ts'

/** When the notes of a session are brought up to date, and how long they may be. */
export interface NotesSettings {
  /** Tokens of the conversation at which its notes are begun. */
  readonly firstTokens: number
  /** Tokens by which it has to have grown since the last update. */
  readonly growthTokens: number
  /** Tool calls since then that make an update due without a pause in the talk. */
  readonly toolCalls: number
  readonly sectionTokens: number
  /** Of the whole page. */
  readonly maxTokens: number
  readonly template: readonly NotesHeading[]
}

/** The numbers of the systems before this one. */
const usual: NotesSettings = {
  firstTokens: 10_000,
  growthTokens: 5_000,
  toolCalls: 3,
  sectionTokens: 2_000,
  maxTokens: 12_000,
  template: usualTemplate,
}

const numbers = ['firstTokens', 'growthTokens', 'toolCalls', 'sectionTokens', 'maxTokens'] as const
const names: ReadonlySet<string> = new Set([...numbers, 'template'])

const mostTokens = 10_000_000
const mostHeadings = 40
const headingLength = 80
const guidanceLength = 1_000
/** The page has to hold this many times what its headings and their guidance take. */
const roomForContent = 2

/** Settings as they were given, with what was left out; InvalidOption that names what cannot be. */
export function notesSettings(received: unknown = {}): NotesSettings {
  const given: Readonly<Record<string, unknown>> = { ...givenObject('notes', received) }
  const unknown = unknownKey('notes', given, names)
  if (unknown !== undefined)
    throw new InvalidOption({
      option: `notes.${unknown}`,
      received: shown(given[unknown]),
      expected: `left out: it is not known, and these are: ${[...names].join(', ')}`,
    })
  const number = (name: (typeof numbers)[number]): number =>
    given[name] === undefined ? usual[name] : inRange(`notes.${name}`, given[name], 1, mostTokens, true)
  const template = given['template'] === undefined ? usual.template : templateOf(given['template'])
  const settings = {
    firstTokens: number('firstTokens'),
    growthTokens: number('growthTokens'),
    toolCalls: number('toolCalls'),
    sectionTokens: number('sectionTokens'),
    maxTokens: number('maxTokens'),
    template,
  }
  const least = roomForContent * estimateTokenCount(templatePage(settings))
  if (settings.maxTokens < least)
    throw new InvalidOption({
      option: 'notes.maxTokens',
      received: String(settings.maxTokens),
      expected: `at least ${least}, twice what the template takes by itself`,
    })
  return settings
}

function templateOf(received: unknown): NotesHeading[] {
  if (!Array.isArray(received) || received.length === 0 || received.length > mostHeadings)
    throw new InvalidOption({
      option: 'notes.template',
      received: shown(received),
      expected: `a list of 1 to ${mostHeadings} objects { heading, guidance }`,
    })
  const template = received.map(headingOf)
  const keys = template.map(({ heading }) => heading.normalize('NFKC').toLowerCase())
  const twice = keys.findIndex((key, place) => keys.indexOf(key) !== place)
  if (twice !== -1)
    throw new InvalidOption({
      option: `notes.template[${twice}].heading`,
      received: shown(template[twice]?.heading),
      expected: 'unlike every other heading',
    })
  return template
}

function headingOf(received: unknown, place: number): NotesHeading {
  const option = `notes.template[${place}]`
  const given: Readonly<Record<string, unknown>> = { ...givenObject(option, received) }
  const unknown = unknownKey(option, given, new Set(['heading', 'guidance']))
  if (unknown !== undefined)
    throw new InvalidOption({
      option: `${option}.${unknown}`,
      received: shown(given[unknown]),
      expected: 'left out: a section has a heading and guidance',
    })
  const heading = oneLine(`${option}.heading`, given['heading'], headingLength)
  // What markdown would not give back as it was written, or would take for something else.
  if (heading === '' || /[#`<>[\]\\*_]/.test(heading))
    throw new InvalidOption({
      option: `${option}.heading`,
      received: shown(given['heading']),
      expected: 'some words without marks of markdown',
    })
  return { heading, guidance: oneLine(`${option}.guidance`, given['guidance'], guidanceLength) }
}

function oneLine(option: string, received: unknown, most: number): string {
  const fits = typeof received === 'string' && received.length <= most && received.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(received)
  if (!fits) throw new InvalidOption({ option, received: shown(received), expected: `one line of text, of ${most} characters at most` })
  return received.replaceAll(/\s+/g, ' ').trim()
}
