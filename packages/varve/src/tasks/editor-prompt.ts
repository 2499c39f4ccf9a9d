import * as z from 'zod'
import type { DatedFact } from '../documents/bullets.ts'
import { defusedLine } from '../messages/defused.ts'
import { nameLine } from '../messages/shown-name.ts'
import { linesOf } from '../pages/lines.ts'
import { schemaOf } from './answer-schema.ts'
import { dataRule } from './instructions.ts'
import { askedCall, maxCalls } from './page-call.ts'
import type { EditOutcome } from './parse-edits.ts'
import type { Prompt } from './prompt.ts'
import { fenced, quoted } from './quoted.ts'

/** A document in the form that its editor sees. */
export interface EditedPage {
  readonly name: string
  readonly description: string
  readonly content: string
  readonly revision: number
}

/** The share of a document's upper bound from which an edit also condenses the document. */
const condensedFrom = 0.8

/** Room for forty calls of a line or two: a document that is condensed may be written anew. */
const outputTokens = { edit: 3_000, condense: 8_000 } as const

/**
 * Makes the prompt for one document: to work facts into it, and to condense it near its upper bound. Lines are numbered
 * as `applyEdits` counts them.
 *
 * @example editorPrompt(document, [{ fact: 'The bike is red.', day: '2026-05-08' }], { mark, maxCharacters: 16_000 })
 */
export function editorPrompt(
  page: EditedPage,
  facts: readonly DatedFact[],
  { mark, maxCharacters }: { readonly mark: string; readonly maxCharacters: number },
): Prompt {
  const isFull = page.content.length > maxCharacters * condensedFrom
  const lines = linesOf(page.content).map(({ start, end }, at) => `[${at + 1}] ${quoted(page.content.slice(start, end))}`.trimEnd())
  const document = [`[name] ${nameLine(page.name)}`, `[description] ${defusedLine(page.description)}`, ...lines]
  return {
    instructions,
    prompt: [
      `Revision ${page.revision} of a document, ` +
        `${lines.length === 0 ? 'which has no lines yet' : `lines 1 to ${lines.length}`}, quoted as data:`,
      fenced(document, mark),
      ...(facts.length === 0
        ? ['There are no new facts.']
        : [
            `${facts.length} new facts, each with the day on which it was said, quoted as data:`,
            fenced(
              facts.map(({ fact, day }, at) => `[${at + 1}] ${day}: ${quoted(fact)}`),
              mark,
            ),
          ]),
      ...(isFull ? [condensing(page.content.length, maxCharacters)] : []),
      'That was the data. Now write "description" and "calls".',
    ].join('\n'),
    schema: schemaOf(z.object({ description: z.string(), calls: z.array(askedCall) })),
    schemaName: 'varve_editor',
    maxOutputTokens: isFull ? outputTokens.condense : outputTokens.edit,
  }
}

/**
 * Makes the prompt again, with the reasons why the earlier answer changed nothing, and the ranges that can be named.
 * They may hold words of the document, so they are quoted as data.
 */
export function editorRetry(
  prompt: Prompt,
  outcome: Exclude<EditOutcome, { readonly content: string }>,
  { mark, maxCharacters }: { readonly mark: string; readonly maxCharacters: number },
): Prompt {
  const again = 'Make all calls anew, on the lines as they are shown above.'
  if ('problem' in outcome)
    return {
      ...prompt,
      prompt: `${prompt.prompt}\nAn earlier answer could not be used: ${outcome.problem}. Write it anew by the instructions.`,
    }
  if ('tooLong' in outcome)
    return {
      ...prompt,
      maxOutputTokens: outputTokens.condense,
      prompt: `${prompt.prompt}\nAn earlier answer changed nothing. After it: ${condensing(outcome.tooLong, maxCharacters)} ${again}`,
    }
  return {
    ...prompt,
    prompt: `${prompt.prompt}\nAn earlier answer changed nothing, for these of its calls were refused:\n${fenced(
      outcome.refused.map(({ place, reason }) => `[call ${place + 1}] ${quoted(reason)}`),
      mark,
    )}\n${again}`,
  }
}

function condensing(characters: number, most: number): string {
  return (
    `The document has ${characters} characters and may have ${most}. Condense it: say once what is said twice, leave out what is ` +
    'no longer so and what matters least; keep names, numbers and decisions.'
  )
}

/** The system prompt: the same for every document. */
const instructions = [
  "You keep one document of an assistant's long-term memory. You get the document, [number] line, and new facts, [number] day: " +
    'fact. Work the facts into the document.',
  dataRule,
  'Answer with one JSON object:',
  '- "description": one sentence that tells what the document is about after your edits.',
  `- "calls": at most ${maxCalls} calls of these tools, or [] where nothing has to change:`,
  '  "append": adds "text" at the end of the section "section", or of the document where that is "".',
  '  "replace_lines": puts "text" in the place of the lines "from" to "to".',
  '  "delete_lines": takes out the lines "from" to "to".',
  '  "replace_section": puts "text" in the place of all below the heading "section". The heading stays.',
  '  "replace_text": puts "text" in the place of "old", which stands exactly once in the section "section" or in the document.',
  'Rules:',
  '- Use the line numbers that you see, whatever the other calls do. "to" is included. No two calls touch the same line. All ' +
    'calls are applied together, or none.',
  '- A field that a tool does not need is "" or 0.',
  '- "text" is markdown in short lines, without line numbers. Put what belongs together under one heading. Keep a day where it ' +
    'matters.',
  '- Where a fact changes what the document says, replace that. Say nothing twice. Leave everything else alone.',
  '- Use the language of the document. Copy names, numbers, dates, ids and addresses; add nothing. Write of people in the ' +
    'third person.',
  'Example data:',
  '[1] # Boat',
  '[2] - lies in Oslo',
  '[1] 2026-05-10: The boat lies in Bergen now.',
  'Answer:',
  '{"description": "Where Ada\'s boat lies.", "calls": [{"tool": "replace_lines", "section": "", "from": 2, "to": 2, "old": "", ' +
    '"text": "- lies in Bergen (since 2026-05-10)"}]}',
].join('\n')
