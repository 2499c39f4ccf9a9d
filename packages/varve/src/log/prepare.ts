import { estimateTokenCount } from 'tokenx'
import { analyse } from '../index/analyse.ts'
import { type DetectLanguage, type LanguageVotes, votedLanguage, vote } from '../index/language.ts'
import { encodeTerms } from '../index/terms-codec.ts'
import { traitsOf } from '../index/traits.ts'
import type { PreparedMessage } from '../storage/log/prepared-message.ts'
import { agentsEchoWords, echoedRanges, merged, personsEchoWords, type ShownBefore } from '../messages/echo.ts'
import { fencedRanges } from '../messages/fence.ts'
import { mainLineOf } from '../messages/tool-calls.ts'
import { spokenAs } from '../messages/spoken-as.ts'
import type { ValidMessage } from '../messages/validate.ts'

/** The facts on a session that preparing a batch needs. */
export interface SessionState {
  readonly votes: LanguageVotes
  /** The language of the partition's talk so far, for a session that has said too little. */
  readonly fallback: string
  /** Hashes of the texts that the session and the others of its partition were shown. */
  readonly shown: ShownBefore
  /** The store's secret, by which fences and shingles are keyed. */
  readonly key: string
}

/** Gives the language of a session after a batch. */
export function languageAfter(
  batch: readonly ValidMessage[],
  state: SessionState,
  detect: DetectLanguage,
): { language: string; votes: LanguageVotes } {
  const spoken = batch.filter((message) => message.role !== 'tool' && message.role !== 'system').map((message) => message.content)
  const votes = vote(state.votes, spoken, detect)
  return { language: votedLanguage(votes) || state.fallback, votes }
}

/** Analyses a message: its echoes, its terms and its estimated tokens. */
export function prepareMessage(message: ValidMessage, language: string, state: Pick<SessionState, 'shown' | 'key'>): PreparedMessage {
  const fenced = message.content.includes('<memory ') ? fencedRanges(message.content, state.key) : []
  const words = message.origin === 'person' ? personsEchoWords : agentsEchoWords
  const recalled = merged([...fenced, ...echoedRanges(message.content, state.key, state.shown, words)])
  // Instructions to a model are nobody's memory: they are kept, and not searched.
  const text = message.origin === 'system' ? { terms: new Map<string, number>(), length: 0 } : analyse(message.content, language, recalled)
  const tokens = estimateTokenCount(message.content)
  return {
    externalId: message.externalId,
    role: message.role,
    origin: message.origin,
    name: message.name,
    thread: message.thread,
    content: message.content,
    parts: message.parts,
    metadata: message.metadata,
    recalled,
    saidAt: message.saidAt,
    tokens,
    main: mainLineOf(lineOf(message, tokens)),
    traits: message.origin === 'system' ? 0 : traitsOf(message.content),
    terms: encodeTerms({ role: spokenAs(message), language, name: message.name ?? '', text }),
  }
}

function lineOf({ role, thread, parts }: ValidMessage, tokens: number): Parameters<typeof mainLineOf>[0] {
  const called: readonly unknown[] | undefined = parts === null || role === 'user' ? undefined : JSON.parse(parts)
  return { role, tokens, ...(thread === null ? {} : { thread }), ...(called === undefined ? {} : { parts: called }) }
}
