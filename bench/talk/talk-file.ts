import { stop } from '../shared/arguments.ts'
import { readBeam } from './beam-file.ts'
import type { Conversation } from './conversation.ts'
import { readJsonList } from './json.ts'
import { readLocomo } from './locomo-file.ts'

/** The two kinds of talk: people with names, and a user with an assistant. */
export type TalkKind = 'locomo' | 'beam'

export interface TalkFile {
  readonly kind: TalkKind
  readonly conversations: readonly Conversation[]
}

/** Reads conversations with questions. Their form tells the kind of talk. */
export function readTalkFile(path: string): TalkFile {
  const samples = readJsonList(path)
  const kind = samples.some((sample) => 'conversation' in sample) ? 'locomo' : 'beam'
  const conversations = kind === 'locomo' ? readLocomo(samples) : readBeam(samples)
  if (conversations.every(({ questions }) => questions.length === 0)) stop(`--data: ${path} has no conversation with questions`)
  return { kind, conversations }
}

export function readTalkFileOf(kind: TalkKind, path: string): readonly Conversation[] {
  const read = readTalkFile(path)
  return read.kind === kind ? read.conversations : stop(`--data: ${path} is not a file of ${kind}`)
}

/** The number of LoCoMo's conversations, from the first of the file, that may be used to tune. The others are for reporting only. */
const workingConversations = 5

export const halves = ['working', 'reporting', 'both'] as const
export type Half = (typeof halves)[number]

/** Tells whether a conversation of LoCoMo belongs to the half for tuning. */
export function isWorking(place: number): boolean {
  return place < workingConversations
}

export function readHalf(half: string): Half {
  return halves.find((known) => known === half) ?? stop(`--half must be ${halves.join(', ')}, received ${half}`)
}

export function inHalf(half: Half): (conversation: { readonly place: number }) => boolean {
  return ({ place }) => half === 'both' || isWorking(place) === (half === 'working')
}
