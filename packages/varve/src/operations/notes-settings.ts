import * as z from 'zod'
import { leastNotesTokens, notesSettings } from '../notes/settings.ts'
import { record, whole } from './fields.ts'

const usual = notesSettings()
const mostTokens = 10_000_000
const mostHeadings = 40
const headingLength = 80
const guidanceLength = 1_000

/** Makes a field for one line of text: a line break or another control character would end the heading. */
function oneLine(most: number, error: string) {
  return z
    .string({ error })
    .max(most, { error })
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, { error })
    .refine((text) => text.isWellFormed(), { error })
}

// Markdown would not give a heading with its marks back as it was written, or would take it for something else.
const heading = () => {
  const error = `one line of 1 to ${headingLength} characters that is not blank and has no marks of markdown`
  return oneLine(headingLength, error)
    .regex(/\S/u, { error })
    .regex(/^[^#`<>[\]\\*_]*$/u, { error })
}

const section = () =>
  record({
    heading: heading().describe('The heading of the section.'),
    guidance: oneLine(guidanceLength, `one line of text, of ${guidanceLength} characters at most`).describe(
      'The content that belongs in it.',
    ),
  })

const template = () => {
  const error = `a list of 1 to ${mostHeadings} objects { heading, guidance }`
  return z.array(section(), { error }).min(1, { error }).max(mostHeadings, { error })
}

/** Makes the fields for the notes of a project's sessions. A field that is left out keeps its default. */
export const notesFields = () =>
  record({
    firstTokens: whole(1, mostTokens)
      .optional()
      .describe('Tokens of a conversation that begin its notes. Default 10,000.')
      .meta({ default: usual.firstTokens }),
    growthTokens: whole(1, mostTokens)
      .optional()
      .describe('Tokens of growth until an update is due. Default 5,000.')
      .meta({ default: usual.growthTokens }),
    toolCalls: whole(1, mostTokens)
      .optional()
      .describe('Tool calls until an update is due without a pause. Default 3.')
      .meta({ default: usual.toolCalls }),
    sectionTokens: whole(1, mostTokens)
      .optional()
      .describe('The most tokens of a section. Default 2,000.')
      .meta({ default: usual.sectionTokens }),
    maxTokens: whole(1, mostTokens).optional().describe('The most tokens of the page. Default 12,000.').meta({ default: usual.maxTokens }),
    template: template().optional().describe('The sections of the page, in order.'),
  }).superRefine((given, context) => {
    const { maxTokens, template } = notesSettings(given)
    const keys = template.map(({ heading }) => heading.normalize('NFKC').toLowerCase())
    const twice = keys.findIndex((key, place) => keys.indexOf(key) !== place)
    if (twice !== -1) context.addIssue({ code: 'custom', path: ['template', twice, 'heading'], message: 'unlike every other heading' })
    const least = leastNotesTokens({ template })
    if (maxTokens < least)
      context.addIssue({ code: 'custom', path: ['maxTokens'], message: `at least ${least}, twice the tokens of the template itself` })
  })
