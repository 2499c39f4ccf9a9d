import * as z from 'zod'
import type { LongSection } from '../notes/caps.ts'
import type { RefusedCall } from '../notes/edit.ts'
import type { NotesSettings } from '../notes/settings.ts'
import type { SourceMessage } from '../models/writer.ts'
import { schemaOf } from './answer-schema.ts'
import { dataRule } from './instructions.ts'
import { messageLines } from './message-lines.ts'
import type { Prompt } from './prompt.ts'
import { fenced, quoted } from './quoted.ts'
import { distillable } from './span-prompt.ts'

/** The most of a tool's message that is shown, in UTF-16 code units: its begin and its end. The tool can give the middle again. */
const headOfTool = 3_000
const tailOfTool = 1_500

/** The most refusals that another prompt names. */
const maxNamed = 8

/** The longest answer: it may rewrite every section once. Beyond this, a model repeats itself. */
const longestAnswer = 8_000

/**
 * Makes the prompt for an update of a session's notes: the standing page, with its guidance, and the messages since the
 * last update. The model answers with calls of one tool.
 *
 * @example notesPrompt(page, messages, settings, { mark: markOf(key, nonce) })
 */
export function notesPrompt(
  page: string,
  messages: readonly SourceMessage[],
  settings: Pick<NotesSettings, 'template' | 'sectionTokens' | 'maxTokens'>,
  { mark }: { readonly mark: string },
): Prompt {
  const read = distillable(messages)
  return {
    instructions: updating,
    prompt:
      `The page of notes, quoted as data:\n${fenced([quoted(page)], mark)}\nThe ${read.length} messages since then, quoted as ` +
      `data:\n${fenced(messageLines(read, shownText), mark)}\nThat was the data. ${capsOf(settings)}\nNow give the calls that bring ` +
      'the page up to date.',
    schema: callsSchema(settings.template.map(({ heading }) => heading)),
    schemaName: 'varve_notes',
    maxOutputTokens: longestAnswer,
  }
}

/** Makes the prompt that asks once more for sections over their caps, to make them shorter. */
export function condensePrompt(
  page: string,
  long: readonly LongSection[],
  settings: Pick<NotesSettings, 'template' | 'sectionTokens' | 'maxTokens'>,
  { mark }: { readonly mark: string },
): Prompt {
  const asked = long.map(({ heading, tokens, maxTokens }) => `- "${heading}": has ${tokens} tokens, may have ${maxTokens}`)
  return {
    instructions: condensing,
    prompt:
      `The page of notes, quoted as data:\n${fenced([quoted(page)], mark)}\nThat was the data. ${capsOf(settings)} Sections that are ` +
      `too long:\n${asked.join('\n')}\nNow give the calls that make them shorter.`,
    schema: callsSchema(long.map(({ heading }) => heading)),
    schemaName: 'varve_notes_condensed',
    maxOutputTokens: longestAnswer,
  }
}

/** Makes the same prompt again, with the refused calls and the reasons, in Varve's own words. */
export function retryNotesPrompt(prompt: Prompt, refused: readonly RefusedCall[]): Prompt {
  const named = refused.slice(0, maxNamed).map(({ place, reason }) => `- call ${place}: ${quoted(reason)}`)
  return {
    ...prompt,
    prompt:
      `${prompt.prompt}\nAn earlier answer could not be used whole; what was not refused has been carried out on the page above. ` +
      `Refused:\n${named.join('\n')}\nGive only the calls that are still needed.`,
  }
}

/** Makes a system prompt: the same for every page. What differs from project to project stands in the user message. */
function instructions(example: readonly string[], ...asked: readonly string[]): string {
  return [
    'You keep the notes of a running session between a person and an assistant. Whoever has only the notes must be able to go on ' +
      'with the work.',
    ...asked,
    dataRule,
    'Answer with one JSON object: "calls" of one tool, "edit", [] where nothing has to change. Fields:',
    '  "section": a heading of the page.',
    '  "old": "" to replace the whole text below the heading, or a piece of one line that stands there exactly once.',
    '  "text": what comes in its place: markdown, short bullets, one fact each.',
    "Headings and the line in italics below each stay as they are. Use the conversation's language. Say only what the data says.",
    'Example data:',
    ...example,
  ].join('\n')
}

/** Keeps what work needs: exact names, decisions with their reasons, corrections, and failed ways. */
const updating = instructions(
  [
    '# Current state',
    '  - `parse.ts` does not compile.',
    '[7] tool: parse.ts: 0 errors',
    'Answer:',
    '{"calls": [{"tool": "edit", "section": "Current state", "old": "does not compile", "text": "compiles"}]}',
  ],
  'You get the page, and the messages since it was last brought up to date: [number] speaker: text, below the day and time (UTC). ' +
    'Take in what is new: paths, names of functions, commands, ids, numbers and errors, copied exactly; decisions and their reasons; ' +
    'what the person corrected; what must not be tried again. Change what no longer holds. Leave out what the code itself shows. ' +
    'Always bring the section on the current state up to date. A section in which nothing changes needs no call.',
)

const condensing = instructions(
  [
    '# Worklog',
    '  - Ran the tests: 3 failed.',
    '  - Ran the tests again: all passed.',
    'Answer:',
    '{"calls": [{"tool": "edit", "section": "Worklog", "old": "", "text": "- All tests pass."}]}',
  ],
  'You get a page with sections that are too long. Write each of those anew, whole and shorter, with one call a section and "old" ' +
    'empty. Keep paths, names, ids, numbers and errors exactly, decisions and their reasons, what the person corrected, and what ' +
    'must not be tried again. Leave out single steps, what was replaced later, and what another section says.',
)

function capsOf({ template, sectionTokens, maxTokens }: Pick<NotesSettings, 'template' | 'sectionTokens' | 'maxTokens'>): string {
  const sections = template.map(({ heading }) => `"${heading}"`).join(', ')
  return `The sections: ${sections}. At most ${sectionTokens} tokens a section, ${maxTokens} in all.`
}

function callsSchema(headings: readonly string[]): Record<string, unknown> {
  const call = z.object({ tool: z.literal('edit'), section: z.enum(headings), old: z.string(), text: z.string() })
  return schemaOf(z.object({ calls: z.array(call) }))
}

function shownText({ text, role, origin }: SourceMessage): string {
  return origin === 'tool' || role === 'tool' ? shortened(text) : text
}

function shortened(text: string): string {
  if (text.length <= headOfTool + tailOfTool) return text
  return `${text.slice(0, headOfTool)}\n[… ${text.length - headOfTool - tailOfTool} characters \
…]\n${text.slice(-tailOfTool)}`.toWellFormed()
}
