import { shownName } from '../messages/shown-name.ts'
import { defusedLine, defusedLines } from '../messages/defused.ts'
import { memoryTools, type ToldRecall } from '../operations/tools/memory.ts'
import type { ToldHit } from '../operations/tools/told-hit.ts'
import { fencedText } from './fenced.ts'
import { forgetTool } from './forget-tool.ts'
import { listSchema, numberSchema, objectSchema, textSchema } from './json-schema.ts'
import type { McpMeans } from './mcp-means.ts'
import { rememberTool } from './remember-tool.ts'
import { type McpTool, toolRecord } from './tool-record.ts'
import { toolOptions } from './tool-options.ts'

// Fields that are often absent are not named: the list of tools is in every conversation.
const hit = objectSchema({ ref: textSchema, text: textSchema, at: textSchema, by: textSchema })

/** The five tools that every client gets. */
export function usualTools(means: McpMeans): readonly McpTool[] {
  const tools = memoryTools(means.make, toolOptions(means))
  return [
    toolRecord('memory_recall', tools.memory_recall, {
      ...{ title: 'Recall', deed: 'reads', isIdempotent: true, quotes: true },
      output: objectSchema({ hits: listSchema(hit), confidence: numberSchema }, ['hits']),
      text: (recalled) => recalledText(means, recalled),
    }),
    toolRecord('memory_context', tools.memory_context, {
      ...{ title: 'Context', deed: 'reads', isIdempotent: true, quotes: false },
      // Its text has its own fence in the data too.
      output: objectSchema({ text: textSchema, tokens: numberSchema }, ['text']),
      text: ({ text, degraded }) => (text === '' ? nothing('that matters here', degraded) : text),
    }),
    rememberTool(means, tools.memory_remember),
    toolRecord('memory_edit', tools.memory_edit, {
      ...{ title: 'Edit', deed: 'writes', quotes: true },
      output: objectSchema({ ref: textSchema, done: textSchema, text: textSchema, version: textSchema }, ['ref']),
      text: ({ ref, done }) => `${done}: ${defusedLine(ref)}.`,
    }),
    forgetTool(means, tools.memory_forget),
  ]
}

/**
 * Below this confidence, two to five of a hundred questions are about something that was said
 * (docs/reference/recall-quality.md). A fact or a page in front may fit all the same.
 */
const leastFit = 0.1

async function recalledText(means: McpMeans, { hits, confidence = 1, degraded }: ToldRecall): Promise<string> {
  if (hits.length === 0) return nothing('of this', degraded)
  const isDoubtful = confidence < leastFit && hits[0]?.ref.startsWith('message:') === true
  const doubt = isDoubtful ? `No message fits this well (confidence ${confidence}): perhaps nothing was said of it.\n` : ''
  return doubt + (await fencedText(means, hits.map(hitLine).join('\n')))
}

/** Tells that there is nothing. Where memory could not be asked in full, that is no answer: it tells why. */
function nothing(what: string, degraded: readonly string[] | undefined): string {
  return degraded === undefined ? `Nothing is remembered ${what}.` : `Memory could not tell: ${defusedLines(degraded.join('; '))}`
}

/** Shows a hit in a line of its own, which no text of it can leave. */
function hitLine({ ref, text: words, at, by, session, shared, ended }: ToldHit): string {
  const marks = [session === undefined ? [] : `session ${shownName(session)}`, shared ? 'of the project' : [], ended ? 'ended since' : []]
  const head = [at.slice(0, 10), shownName(by), ...marks.flat()].join(', ')
  const [kind = '', ...id] = ref.split(':')
  return `- ${kind}:${shownName(id.join(':'))} (${head}): ${defusedLines(words, '  ')}`
}
