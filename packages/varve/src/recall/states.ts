import type { Chain, ChainRole } from '../facts/chains.ts'
import { type StateEnd, type EndedState, type EndedStates, endedStates } from '../facts/superseded.ts'
import { mostAnswerLength } from '../log/read-page.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { StatedPlace, TalkAndFacts } from '../storage/known/ended-states.ts'
import { messagesAt } from '../storage/log/messages.ts'
import { findKnown, findPartition } from '../storage/partitions.ts'
import { abreast, type Program } from '../storage/program.ts'
import { askedDates } from './asked-dates.ts'
import { askedOrder, type AskedTime, askedTime } from './asked-order.ts'
import type { AskedWords } from './asked-words.ts'
import type { AskedCalendar } from './calendar.ts'
import type { MessageHit, Superseded } from './hit.ts'
import { messageHit, type NumberedHit } from './message-hit.ts'
import { isLong } from './passages.ts'
import { hasMetadata, messagesAround } from './read-message.ts'
import { isLeftOut, type RecallRequest } from './request.ts'
import { newestStatementFirst } from './said-later.ts'
import { dayInWords } from './signals/session.ts'

/** The most messages that were not found and are shown, because they tell what holds now. */
const mostRead = 3

/** A question whose hits may rest on ended states. */
export interface AskedOfStates {
  readonly partition: PartitionId
  readonly talk: TalkAndFacts
  readonly request: RecallRequest
  readonly words: AskedWords
  readonly languages: readonly string[]
  readonly calendar: AskedCalendar
  /** Ids of messages that are no hits. */
  readonly shown: ReadonlySet<string>
}

/**
 * Marks hits that tell an ended state. Where the question asks about such a thing, what holds comes before what held;
 * a question about the past gets them in the order of time. The hits of one thing exchange their places and scores.
 */
export function* withStates(asked: AskedOfStates, found: readonly NumberedHit[]): Program<readonly NumberedHit[]> {
  const { partition, talk, request, words } = asked
  const ended = yield* endedStates(
    partition,
    talk,
    // Facts rest on persons' words alone.
    found.flatMap(({ hit: { origin, session, seq } }) => (origin === 'person' ? { session, from: seq, to: seq } : [])),
    request.now,
  )
  let known: AskedTime | undefined
  const time = (): AskedTime => (known ??= timeOf(asked))
  const isPresent = (): boolean => time() === 'present'
  const inOrder = (hits: readonly NumberedHit[]): readonly NumberedHit[] => newestStatementFirst(hits, words, request.query, isPresent)
  if (ended.chains.length === 0) return inOrder(found)
  const arranged = new Arranged(
    found.map((one) => withMark(one, ended, words)),
    ended,
    asked,
    time(),
  )
  const isAbout = ({ words: said }: Chain): boolean => words.saidIn(said).size > 0
  const [about, beside] = [ended.chains.filter(isAbout), ended.chains.filter((chain) => !isAbout(chain))]
  for (const chain of about) yield* arranged.arrange(chain, true)
  for (const chain of beside) yield* arranged.arrange(chain, false)
  return inOrder(arranged.hits).slice(0, request.limit)
}

/** Finds the marks of messages that were not searched for, by their ids. */
export function* supersededMessages(
  partition: PartitionId,
  messages: readonly Pick<MessageHit, 'id' | 'session' | 'seq'>[],
  now: number,
  asOf?: number,
): Program<ReadonlyMap<string, Superseded>> {
  const marks = new Map<string, Superseded>()
  if (messages.length === 0) return marks
  const [source, known] = yield* abreast([findPartition(partition), findKnown(partition)])
  if (source === undefined) return marks
  const spans = messages.map(({ session, seq }) => ({ session, from: seq, to: seq }))
  const { states } = yield* endedStates(partition, { source: source.id, known: known?.id }, spans, now, asOf)
  for (const { id, session, seq } of states.length === 0 ? [] : messages) {
    const mark = supersededIn(states.filter((state) => state.session === session && state.seq === seq))
    if (mark !== undefined) marks.set(id, mark)
  }
  return marks
}

function withMark(one: NumberedHit, { states }: EndedStates, words: AskedWords): NumberedHit {
  const superseded = supersededIn(
    states.filter(({ session, seq }) => session === one.hit.session && seq === one.hit.seq),
    words,
  )
  return superseded === undefined ? one : { ...one, hit: { ...one.hit, superseded } }
}

/** Gives the mark of the ended states of one text: first the one that the question is about, else the first by place. */
export function supersededIn(states: readonly EndedState[], words?: AskedWords): Superseded | undefined {
  const ordered = states.toSorted((a, b) => a.from - b.from)
  const first = ordered.find(({ predicate, object }) => (words?.saidIn(`${predicate} ${object}`).size ?? 0) > 0) ?? ordered[0]
  if (first === undefined) return undefined
  const others = ordered.filter((one) => one !== first).map(shown)
  return { ...shown(first), ...(others.length === 0 ? {} : { others }) }
}

function shown({ session: _session, seq: _seq, predicate: _predicate, object: _object, ...ended }: EndedState): StateEnd {
  return ended
}

/** Tells which time a question asks about. A day or a year that is over is the past. */
function timeOf({ request: { query, now }, languages, calendar }: AskedOfStates): AskedTime {
  const time = askedTime(query)
  if (time === 'past' || askedOrder(query) === 'newest') return time
  const { ranges } = askedDates(query, languages, calendar)
  return ranges.length > 0 && ranges.every(({ to }) => to <= now) ? 'past' : 'present'
}

/** A hit of a chain, and its place among the hits. */
interface Placed {
  readonly one: NumberedHit
  readonly role: ChainRole
  readonly place: number
}

/** Hits that exchange places. */
class Arranged {
  readonly hits: NumberedHit[]
  readonly #ended: EndedStates
  readonly #asked: AskedOfStates
  readonly #time: AskedTime
  /** Ids of the hits that have their place. */
  readonly #settled = new Set<string>()
  #read = 0

  constructor(hits: readonly NumberedHit[], ended: EndedStates, asked: AskedOfStates, time: AskedTime) {
    this.hits = [...hits]
    this.#ended = ended
    this.#asked = asked
    this.#time = time
  }

  /**
   * Orders the hits of a chain. A question that says no word of it can be about it only by a message that tells nothing
   * but ended states.
   */
  *arrange(chain: Chain, isAbout: boolean): Program<void> {
    const movable = this.#placed(chain).filter(
      ({ one, role }) => role === 'holds' || isAbout || !this.#ended.tellsMore(one.hit.session, one.hit.seq),
    )
    const [best] = movable
    if (best === undefined || movable.every(({ role }) => role === 'holds')) return
    const missing = this.#time === 'present' && chain.newest !== undefined && movable.every(({ role }) => role !== 'holds')
    const more = missing && chain.newest !== undefined ? yield* this.#readMissing(chain.newest, best) : undefined
    const ordered = this.#time === 'past' ? movable.toSorted(byTime) : inPresent(movable, chain.holds)
    const shift = more === undefined ? 0 : 1
    if (more !== undefined) this.hits.splice(best.place, 0, more)
    for (const [at, { place, one: before }] of movable.entries()) {
      const next = ordered[at]
      if (next === undefined) continue
      this.hits[place + shift] = next.place === place ? next.one : moved(next, before.hit, place, this.#time)
    }
    if (movable.length + shift > 1) for (const { one } of movable) this.#settled.add(one.hit.id)
  }

  /** Gives the hits of a chain that have no settled place, the best first. */
  #placed({ members }: Chain): Placed[] {
    return this.hits.flatMap((one, place) => {
      const roles = new Set(
        members.filter(({ session, seq }) => session === one.hit.session && seq === one.hit.seq).map(({ role }) => role),
      )
      const role = (['holds', 'held', 'ends'] as const).find((known) => roles.has(known))
      return role === undefined || this.#settled.has(one.hit.id) ? [] : [{ one, role, place }]
    })
  }

  /** Reads the message that tells what holds now, if the request's filters allow it. It gets the best place of its chain. */
  *#readMissing(newest: StatedPlace, { one: { hit: best } }: Placed): Program<NumberedHit | undefined> {
    const { talk, request, shown: hidden } = this.#asked
    if (this.#read >= mostRead || hidden.has(newest.id) || this.hits.some(({ hit }) => hit.id === newest.id)) return undefined
    const stored = (yield* messagesAt(talk.source, [newest.ord])).get(newest.ord)
    if (stored === undefined || !isWanted(stored.message, request)) return undefined
    const { message } = stored
    if (this.hits.reduce((length, { hit }) => length + hit.text.length, message.content.length) > mostAnswerLength) return undefined
    this.#read += 1
    const neighbours = yield* messagesAround(stored, request.neighbours)
    const signal = { name: 'state' as const, value: best.score, text: `took the place of what was said on ${dayInWords(best.at)}` }
    const passage = isLong(message.content) ? { passage: { from: newest.from, to: newest.to } } : {}
    const hit = { ...messageHit(message, best.score, [signal], neighbours), ...passage }
    this.#settled.add(hit.id)
    return { hit, ord: newest.ord }
  }
}

function isWanted(message: Parameters<typeof messageHit>[0], request: RecallRequest): boolean {
  const { session, from, to, metadata } = request
  if ((session !== undefined && message.session !== session) || isLeftOut(message, request)) return false
  return message.at >= from && message.at <= to && hasMetadata(message.metadata, metadata)
}

function byTime(a: Placed, b: Placed): number {
  return a.one.hit.at - b.one.hit.at || a.one.ord - b.one.ord
}

/** Puts the newest statement of what holds first, then the others from the newest back, and mere ends last. */
function inPresent(placed: readonly Placed[], holds: boolean): readonly Placed[] {
  const newestFirst = placed.toSorted((a, b) => byTime(b, a))
  const first = newestFirst.find(({ role }) => role === 'holds')
  const ends = newestFirst.filter(({ role }) => role === 'ends')
  const others = newestFirst.filter((one) => one !== first && one.role !== 'ends')
  if (!holds) return [...ends, ...others]
  return [...(first === undefined ? [] : [first]), ...others, ...ends]
}

/** Gives a hit the score of another place, and says why. */
function moved({ one, role, place }: Placed, before: MessageHit, to: number, time: AskedTime): NumberedHit {
  const { hit } = one
  const text =
    time === 'past'
      ? 'in the order of time'
      : to < place
        ? `took the place of what was said on ${dayInWords(before.at)}`
        : whyLower(hit, role)
  const signal = { name: 'state' as const, value: before.score - hit.score, text }
  return { ...one, hit: { ...hit, score: before.score, signals: [...hit.signals, ...(signal.value === 0 ? [] : [signal])] } }
}

function whyLower({ superseded }: MessageHit, role: ChainRole): string {
  if (role === 'ends') return 'tells no more than an end'
  if (role === 'holds' || superseded === undefined) return 'said again later'
  return `${superseded.wrong === true ? 'taken back' : 'ended'} on ${dayInWords(superseded.on)}`
}
