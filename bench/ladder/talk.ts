import type { MessageInput } from '../../packages/varve/src/index.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { below, type Random, seeded } from '../shared/random.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'

/** A conversation of a simulated day. */
export interface Conversation {
  readonly session: string
  readonly member: string
  readonly messages: readonly MessageInput[]
  /** The time of the last message: UTC milliseconds. */
  readonly endedAt: number
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** The minute of the day before which nobody talks; the last conversations run over midnight. */
const wakesAt = 7 * 60
const leastMessages = 2
const mostMessages = 8

/**
 * Makes conversations of a person and an assistant: 2 to 8 messages, a minute apart, at any time from 7 to 24 o'clock.
 * They are the same for each seed.
 */
export class Talk {
  readonly #random: Random
  readonly #members: readonly { readonly name: string; readonly dialogue: Dialogue }[]
  #count = 0

  constructor(seed: number, members: number) {
    this.#random = seeded(seed)
    const vocabulary = makeVocabulary()
    this.#members = Array.from({ length: members }, (_, place) => ({
      name: `member-${place + 1}`,
      dialogue: new Dialogue(seed + place, vocabulary),
    }))
  }

  /** Returns the conversations of the day that begins then, in the order in which they end. */
  day(begin: number, count: number): Conversation[] {
    return Array.from({ length: count }, () => this.#conversation(begin)).sort((a, b) => a.endedAt - b.endedAt)
  }

  #conversation(day: number): Conversation {
    const random = this.#random
    const { name, dialogue } = this.#members[below(random, this.#members.length)] ?? { name: '', dialogue: new Dialogue(0) }
    const begin = day + wakesAt * minuteMs + below(random, dayMs - wakesAt * minuteMs)
    const said = dialogue.messages(leastMessages + below(random, mostMessages - leastMessages + 1))
    this.#count += 1
    const messages = said.map(({ content = '' }, place): MessageInput => ({
      role: place % 2 === 0 ? 'user' : 'assistant',
      content,
      at: begin + place * minuteMs,
    }))
    return { session: `conversation-${this.#count}`, member: name, messages, endedAt: begin + (messages.length - 1) * minuteMs }
  }
}
