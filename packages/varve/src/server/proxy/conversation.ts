import { createHash, type Hash } from 'node:crypto'
import { isMarkField } from './cache-marks.ts'
import { elementPlaces, type JsonPlace, memberPlace, topPlace } from './json-places.ts'
import { isFields, readJson } from '../../turns/outside-json.ts'
import { turnQuery } from '../../turns/turn-query.ts'
import { recognisedBy, type Utterance, saysWords, saidWords } from '../../turns/said.ts'
import type { WireApi } from './wire-api.ts'

/** Anthropic looks for what is cached up to 20 parts before a mark. Parts that this reader leaves out count there too. */
const maxPartsBetween = 12

/** A message of the newest turn, with an id that is the same when the request is sent again. */
export interface NewMessage {
  readonly said: Utterance
  readonly id: string
}

/** The words by which a person asks, and their place in the request. */
export interface LastQuestion {
  readonly query: string
  /** The content of the message: a text, or a list of parts. */
  readonly content: JsonPlace
  /** Names the conversation up to this message. */
  readonly upTo: string
  /** The content of the question before it, where so many parts lie between that a provider's cache would not look back to it. */
  readonly before: JsonPlace | undefined
  /** True when nothing was said after it. */
  readonly isNewest: boolean
  /** True when the assistant has begun to answer: a turn with tools. */
  readonly isUnderWay: boolean
}

/** A request as the proxy reads it. */
export interface Conversation {
  readonly body: unknown
  readonly question: LastQuestion | undefined
  /** What was said since the assistant spoke last. The ids are made of the words, all that was said before, and the seed. */
  newest(seed: string): readonly NewMessage[]
  /** The words of the begun answer that the assistant is to go on with. */
  readonly prefill: Utterance | undefined
  /** Makes the id of the reply: by its place, its words, all that was said before, and the seed. */
  replyId(seed: string, reply: Utterance): string
  /** Names a conversation by what opened it and by the first reply, which is `reply` where the request holds none. */
  openedBy(scope: readonly string[], reply?: Utterance): string
  /** True when the request holds an answer of the assistant: its host keeps the history. */
  readonly hasHistory: boolean
  /** True when a person spoke again after an answer: the first turn is over. */
  readonly isContinued: boolean
  /** Identifies the messages with the instructions to the model: the same when the request is sent again. */
  asked(): string
}

/** An element of the list of messages. */
interface Element {
  readonly place: JsonPlace
  readonly said: readonly Utterance[]
  /** A hash of all elements up to this one, without instructions to the model. */
  readonly upTo: string
}

/** Reads a request; undefined when it is none of the format. */
export function readConversation(api: WireApi, text: string): Conversation | undefined {
  const body = readJson(text)
  if (!isFields(body)) return undefined
  const top = topPlace(text)
  const list = memberPlace(text, top, api.list)
  const given = body[api.list]
  if (list === undefined || (!Array.isArray(given) && typeof given !== 'string')) return undefined
  const kept = api.keptByProvider(body)
  const elements = readElements(api, text, list, given, typeof kept === 'string' ? kept : '')
  const roles = elements.map(({ said }) => said.at(-1)?.role)
  const isPrefilled = api.name !== 'responses' && roles.at(-1) === 'assistant'
  const talk = isPrefilled ? elements.slice(0, -1) : elements
  const lastReply = talk.findLastIndex(({ said }) => said[0]?.role === 'assistant')
  const names = toolNames(elements)
  return {
    body,
    hasHistory: lastReply !== -1,
    isContinued: isContinued(talk),
    question: questionIn(text, talk, lastReply, typeof given === 'string'),
    newest: (seed) => talk.slice(lastReply + 1).flatMap((element, at) => newMessages(element, lastReply + 1 + at, seed, names)),
    prefill: isPrefilled ? elements.at(-1)?.said[0] : undefined,
    replyId: (seed, reply) => idOf('assistant', String(talk.length), seed, talk.at(-1)?.upTo ?? '', JSON.stringify(reply.parts)),
    openedBy: (scope, reply) => openingOf(scope, talk, reply),
    asked: () => askedIn(text, [list, memberPlace(text, top, 'system'), memberPlace(text, top, 'instructions')]),
  }
}

function readElements(api: WireApi, text: string, list: JsonPlace, given: string | readonly unknown[], kept: string): Element[] {
  const hash = createHash('sha256').update(JSON.stringify([api.name, kept]))
  const places = typeof given === 'string' ? [list] : elementPlaces(text, list)
  const values: readonly unknown[] = typeof given === 'string' ? [given] : given
  return places.flatMap((place, at) => {
    const said = api.saidIn(values[at])
    if (said.length === 0) return []
    hash.update('\n').update(hashedWords(said, values[at]))
    return [{ place, said, upTo: digest(hash.copy()) }]
  })
}

/**
 * Gives what an element says, as it is hashed: the same when a mark for the cache moves to it or from it, or a text becomes
 * a list of one part. Files count with their bytes.
 */
function hashedWords(said: readonly Utterance[], element: unknown): string {
  if (!said.some(({ parts }) => parts.some(({ type }) => type === 'file'))) return JSON.stringify(said)
  return JSON.stringify(element, (key, field: unknown) => (isMarkField(key) ? undefined : field))
}

function questionIn(text: string, talk: readonly Element[], lastReply: number, isBare: boolean): LastQuestion | undefined {
  const isQuestion = ({ said }: Element): boolean => said.some((one) => one.role === 'user' && saysWords(one))
  const at = talk.findLastIndex(isQuestion)
  const element = talk[at]
  const asked = element?.said.findLast(({ role }) => role === 'user')
  const content = contentOf(text, element, isBare)
  if (element === undefined || asked === undefined || content === undefined) return undefined
  return {
    query: turnQuery(saidWords(asked)),
    ...{ content, before: farQuestion(text, talk, at, isQuestion) },
    ...{ upTo: element.upTo, isNewest: at === talk.length - 1, isUnderWay: lastReply > at },
  }
}

function farQuestion(text: string, talk: readonly Element[], at: number, isQuestion: (element: Element) => boolean): JsonPlace | undefined {
  const before = talk.slice(0, at).findLastIndex(isQuestion)
  if (before === -1) return undefined
  const parts = talk.slice(before + 1, at + 1).reduce((sum, element) => sum + partsOf(text, contentOf(text, element, false)), 0)
  return parts > maxPartsBetween ? contentOf(text, talk[before], false) : undefined
}

function partsOf(text: string, content: JsonPlace | undefined): number {
  return content !== undefined && text[content.from] === '[' ? elementPlaces(text, content).length : 1
}

function contentOf(text: string, element: Element | undefined, isBare: boolean): JsonPlace | undefined {
  if (element === undefined) return undefined
  return isBare || text[element.place.from] === '"' ? element.place : memberPlace(text, element.place, 'content')
}

function isContinued(talk: readonly Element[]): boolean {
  const firstReply = talk.findIndex(({ said }) => said[0]?.role === 'assistant')
  return firstReply !== -1 && talk.slice(firstReply).some(({ said }) => said.some(({ role }) => role === 'user'))
}

function askedIn(text: string, places: readonly (JsonPlace | undefined)[]): string {
  const hash = createHash('sha256')
  for (const place of places) hash.update('\n').update(place === undefined ? '' : text.slice(place.from, place.to))
  return digest(hash)
}

function newMessages({ said, upTo }: Element, place: number, seed: string, names: ReadonlyMap<string, string>): NewMessage[] {
  return said.map((one, part) => ({
    said: { ...one, parts: one.parts.map((piece) => namedResult(piece, names)) },
    id: idOf(one.role, said.length === 1 ? String(place) : `${place}.${part}`, seed, upTo, ''),
  }))
}

/** The names of tools by the ids of their calls: a result names its call alone. */
function toolNames(elements: readonly Element[]): ReadonlyMap<string, string> {
  const calls = elements.flatMap(({ said }) => said.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call')))
  return new Map(calls.map(({ toolCallId, toolName }) => [toolCallId, toolName]))
}

function namedResult(part: Utterance['parts'][number], names: ReadonlyMap<string, string>): Utterance['parts'][number] {
  return part.type === 'tool-result' ? { ...part, toolName: names.get(part.toolCallId) ?? part.toolName } : part
}

function openingOf(scope: readonly string[], talk: readonly Element[], reply: Utterance | undefined): string {
  const first = talk.findIndex(({ said }) => said[0]?.role === 'assistant')
  const opening = (first === -1 ? talk : talk.slice(0, first)).flatMap(({ said }) => said.map(saidWords))
  const answered = talk[first]?.said[0] ?? reply
  return digest(createHash('sha256').update(JSON.stringify([scope, opening, answered === undefined ? '' : recognisedBy(answered)])))
}

function idOf(role: string, place: string, ...hashed: readonly string[]): string {
  return `${role}:${place}:${digest(createHash('sha256').update(JSON.stringify([role, place, ...hashed])))}`
}

/** The first 128 bits of a hash. */
function digest(hash: Hash): string {
  return hash.digest('base64url').slice(0, 22)
}
