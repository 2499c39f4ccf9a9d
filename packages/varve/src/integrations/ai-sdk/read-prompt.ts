import { createHash, type Hash } from 'node:crypto'
import type { MessageInput } from '../../messages/message.ts'
import { continued, messageToStore, saidWords, saysWords, type Utterance } from '../../turns/said.ts'
import type { PromptMessage } from './model-call.ts'
import { hashMessage, saidInPrompt } from './said-in-prompt.ts'

/** The words by which a person asks. */
export interface PromptQuestion {
  readonly query: string
  /** The place of the message in the prompt. */
  readonly place: number
  /** Identifies the conversation up to this message. */
  readonly upTo: string
  /** True when the assistant has begun to answer: a turn with tools. */
  readonly isUnderWay: boolean
}

/** The prompt of a call as it is read: what is new in it, and what asks. */
export interface PromptTalk {
  readonly question: PromptQuestion | undefined
  /** True when an answer of the assistant stands before the question: the host keeps the history. */
  readonly hasHistory: boolean
  /** Identifies the whole conversation. */
  readonly upTo: string
  /** What was said since the assistant spoke last, with ids that are the same when the call is made again. */
  newest(seed: string): readonly MessageInput[]
  /** The reply, behind the words that the host began it with, when it `isBegun`. */
  reply(seed: string, reply: Utterance, isBegun: boolean): MessageInput | undefined
}

interface Spoken {
  readonly said: Utterance
  readonly place: number
  readonly upTo: string
}

/** Reads the prompt of a call, as the host made it: what Varve puts in comes later. */
export function readPrompt(prompt: readonly PromptMessage[]): PromptTalk {
  const all = spokenIn(prompt)
  const begun = all.at(-1)?.said.role === 'assistant' ? all.at(-1)?.said : undefined
  const talk = begun === undefined ? all : all.slice(0, -1)
  const lastReply = talk.findLastIndex(({ said }) => said.role === 'assistant')
  const asked = talk.findLastIndex(({ said }) => said.role === 'user' && saysWords(said))
  const question = talk[asked]
  const upTo = all.at(-1)?.upTo ?? ''
  return {
    question: question && {
      ...{ query: saidWords(question.said), place: question.place, upTo: question.upTo },
      isUnderWay: lastReply > asked || begun !== undefined,
    },
    hasHistory: talk.slice(0, asked === -1 ? talk.length : asked).some(({ said }) => said.role === 'assistant'),
    upTo,
    newest: (seed) =>
      talk
        .slice(lastReply + 1)
        .flatMap(({ said, place, upTo: hashed }) => messageToStore(said, idOf(said.role, place, seed, hashed)) ?? []),
    reply: (seed, reply, isBegun) => {
      const whole = isBegun ? continued(begun, reply) : reply
      return messageToStore(whole, idOf('assistant', talk.length, seed, upTo, JSON.stringify(reply.parts)))
    },
  }
}

function spokenIn(prompt: readonly PromptMessage[]): Spoken[] {
  const hash = createHash('sha256')
  return prompt.flatMap((message, place) => {
    const said = saidInPrompt(message)
    if (said === undefined) return []
    hashMessage(hash, message)
    return [{ said, place, upTo: digest(hash.copy()) }]
  })
}

function idOf(role: string, place: number, ...hashed: readonly string[]): string {
  return `${role}:${place}:${digest(createHash('sha256').update(JSON.stringify([role, place, ...hashed])))}`
}

/** The first 128 bits of a hash. */
function digest(hash: Hash): string {
  return hash.digest('base64url').slice(0, 22)
}
