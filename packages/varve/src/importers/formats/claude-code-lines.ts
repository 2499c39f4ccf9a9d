import * as z from 'zod'

const text = z.string().min(1).optional().catch(undefined)
const flag = z.boolean().catch(false)
const said = z.string().optional().catch(undefined)

// The kept fields of a block: a picture's bytes are not among them.
const inner = z.object({ type: z.string(), text: said, title: text, url: text })
export type InnerBlock = z.infer<typeof inner>

const unreadable = { type: 'unreadable' }

const block = z.object({
  type: z.string(),
  text: said,
  id: text,
  name: text,
  input: z.unknown().optional(),
  tool_use_id: text,
  content: z
    .union([z.string(), z.array(inner.catch(unreadable))])
    .optional()
    .catch(undefined),
  is_error: flag,
})
export type ContentBlock = z.infer<typeof block>

const blocks = z.union([z.string(), z.array(block.catch({ ...unreadable, is_error: false }))])
const speaker = z.object({ kind: text }).optional().catch(undefined)

const line = z.object({
  type: z.string(),
  subtype: text,
  uuid: text,
  parentUuid: text,
  logicalParentUuid: text,
  sessionId: text,
  agentId: text,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  isApiErrorMessage: flag,
  timestamp: z.unknown().optional(),
  cwd: text,
  gitBranch: text,
  origin: speaker,
  forkedFrom: z
    .object({ sessionId: z.string().min(1), messageUuid: z.string().min(1) })
    .optional()
    .catch(undefined),
  message: z.object({ model: text, content: blocks }).optional().catch(undefined),
  attachment: z
    .object({ type: text, commandMode: text, prompt: blocks.optional().catch(undefined), origin: speaker })
    .optional()
    .catch(undefined),
  summary: text,
  leafUuid: text,
  aiTitle: text,
  customTitle: text,
})
export type TranscriptLine = z.infer<typeof line>

/** Reads a line of a transcript; undefined for other lines. Unknown fields are dropped: a line takes megabytes, its words a few. */
export function readLine(value: unknown): TranscriptLine | undefined {
  const parsed = line.safeParse(value)
  return parsed.success ? parsed.data : undefined
}

export function blocksOf(content: string | readonly ContentBlock[]): readonly ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content, is_error: false }] : content
}
