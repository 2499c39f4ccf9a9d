import * as z from 'zod'
import type { RepairReason, SkipReason } from '../reasons.ts'

const content = z.object({
  content_type: z.string().catch('text'),
  parts: z.array(z.unknown()).optional().catch(undefined),
  text: z.string().optional().catch(undefined),
  result: z.string().optional().catch(undefined),
})

const part = z.object({ content_type: z.string().catch(''), text: z.string().optional().catch(undefined) })

export type ReadContent =
  | { readonly kind: 'text'; readonly text: string; readonly repairs: readonly RepairReason[] }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }

/** Content types that are no talk: settings that ChatGPT puts before it, and its thinking. */
const skipped: Readonly<Record<string, SkipReason>> = {
  model_editable_context: 'custom instructions',
  reasoning_recap: 'reasoning',
  thoughts: 'reasoning',
  user_editable_context: 'custom instructions',
}

/** Reads the text of a ChatGPT message of any type; leaves other content out and names it. */
export function readContent(value: unknown): ReadContent {
  const parsed = content.safeParse(value)
  if (!parsed.success) return { kind: 'text', text: '', repairs: [] }
  const { content_type: type, parts, text, result } = parsed.data
  const reason = Object.hasOwn(skipped, type) ? skipped[type] : undefined
  if (reason !== undefined) return { kind: 'skipped', reason }
  if (parts !== undefined) return ofParts(parts)
  const words = text ?? result
  if (words === undefined) return { kind: 'skipped', reason: 'unknown content type' }
  return { kind: 'text', text: words, repairs: [] }
}

function ofParts(parts: readonly unknown[]): ReadContent {
  const texts: string[] = []
  const repairs: RepairReason[] = []
  for (const one of parts) {
    const { text, repair } = readPart(one)
    if (text !== undefined && text !== '') texts.push(text)
    if (repair !== undefined) repairs.push(repair)
  }
  return { kind: 'text', text: texts.join('\n'), repairs }
}

function readPart(value: unknown): { readonly text?: string | undefined; readonly repair?: RepairReason } {
  if (typeof value === 'string') return { text: value }
  const parsed = part.safeParse(value)
  if (!parsed.success) return { repair: 'part left out' }
  const { content_type: type, text } = parsed.data
  if (text !== undefined) return { text }
  if (type.includes('image')) return { repair: 'image left out' }
  if (type.includes('audio')) return { repair: 'audio left out' }
  return { repair: 'part left out' }
}
