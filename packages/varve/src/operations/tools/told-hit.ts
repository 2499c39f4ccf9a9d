import { saidText } from '../../context/said-text.ts'
import { spokenBy } from '../../messages/spoken-as.ts'
import type { Hit, MessageHit } from '../../recall/hit.ts'

/** A memory as a tool shows it. */
export interface ToldHit {
  /** Names it for the other tools, such as `message:…`, `fact:…`, `document:…`. */
  readonly ref: string
  readonly text: string
  /** When it was said, or last changed: ISO 8601. */
  readonly at: string
  /** The speaker or the writer. */
  readonly by: string
  readonly session?: string
  /** True for what all members of the project read. */
  readonly shared?: true
  /** True where a later word took its place: it is history. */
  readonly ended?: true
  /** For `version` of an edit. */
  readonly version?: string
}

/** The longest text of a hit, in characters. A message may have a million. */
export const longestTold = 1_200

/** Shows a hit, in place of a long message the part that answers. */
export function toldHit(hit: Hit): ToldHit {
  const { kind, text, at, session, superseded } = hit
  const version = hit.kind === 'fact' ? hit.fact.version : kind === 'document' ? String(hit.revision) : undefined
  return {
    ref: refOf(hit),
    text: cut(hit.kind === 'message' ? messageText(hit) : text),
    at: new Date(at).toISOString(),
    by: byOf(hit),
    ...(session === undefined || session === '' ? {} : { session }),
    ...('shared' in hit && hit.shared === true ? { shared: true } : {}),
    ...(superseded === undefined ? {} : { ended: true }),
    ...(version === undefined ? {} : { version }),
  }
}

/** Gives the part of a long message that answers. Nothing that Varve had rendered is shown as said. */
function messageText({ text, passage, recalled }: MessageHit): string {
  return passage !== undefined && text.length > longestTold ? text.slice(passage.from, passage.to) : saidText(text, recalled)
}

/** Names a hit: a page or a block by its name, all else by its id. */
function refOf(hit: Hit): string {
  return hit.kind === 'document' || hit.kind === 'block' ? `${hit.kind}:${hit.name}` : `${hit.kind}:${hit.id}`
}

function byOf(hit: Hit): string {
  if (hit.kind === 'message') return spokenBy(hit)
  return hit.kind === 'fact' ? hit.fact.writer : hit.writer
}

function cut(text: string): string {
  return text.length <= longestTold
    ? text
    : `${text
        .slice(0, longestTold - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}

/** A name of a memory, taken apart. */
export interface Ref {
  readonly kind: string
  readonly id: string
}

/** The longest kind of a ref, in characters. */
const longestKind = 20

/** The longest id, or name, in a ref: an error shows it. */
const longestId = 1_024

/** Takes a ref apart at its first colon. No pattern looks at it whole: it may have millions of characters. */
export function parsedRef(given: unknown): Ref | undefined {
  if (typeof given !== 'string') return undefined
  const colon = given.slice(0, longestKind + 1).indexOf(':')
  const kind = given.slice(0, Math.max(0, colon))
  const idLength = given.length - colon - 1
  return /^[a-z]+$/.test(kind) && idLength > 0 && idLength <= longestId ? { kind, id: given.slice(colon + 1) } : undefined
}
