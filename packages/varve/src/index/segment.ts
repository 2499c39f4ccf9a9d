import { type Role, roles } from '../messages/message.ts'
import type { TermsRow } from '../storage/segment/terms.ts'
import { TermDictionary } from './dictionary.ts'
import { type IndexedWords, SegmentWords } from './segment-words.ts'
import type { SegmentVectors } from './segment-vectors.ts'
import { TermsReader } from './terms-codec.ts'
import { Unstemmed } from './unstemmed.ts'
import { fold } from './words.ts'

/** Memory of a message's columns, in bytes. */
const bytesPerDocument = 47

/**
 * Memory of a segment beside the contents of its arrays, in bytes: its objects, and what the allocator takes for some
 * thirty arrays. With one message, a segment took 29 KB of the process, 12.5 KB of that in arrays.
 */
const bytesPerSegment = 16 * 1024

/** The least initial room, in messages; most partitions are small. */
const firstRoom = 32

/** The initial room for terms: some eight new ones a message, while there are few messages. */
const newTermsPerMessage = 8
const mostFirstTerms = 4096

/** The least share of an assistant in a session that is a talk with one. In a group chat it speaks now and then. */
const leastAssistant = 0.25

/** Memory of a session's counts, in bytes. */
const bytesPerSession = 32

const none = -1

/**
 * The searchable part of a partition, in memory. Messages are numbered from 0 in the order of their ordinals. A number
 * is never used again while the segment lives.
 *
 * A segment built by deltas equals one loaded at once: a test compares the two.
 */
export class Segment {
  readonly partition: number
  readonly #words: SegmentWords
  readonly unstemmed = new Unstemmed()
  /** The last ordinal and epoch that the segment has seen. */
  seq = 0
  epoch = 0
  /** True when the bound leaves room only for the newest messages. */
  partial = false
  /** The last ordinal that the bound leaves out. */
  floor = 0
  /** Bytes of stored terms that were read, including those of messages taken out since. */
  storedBytes = 0
  /** Vectors of its messages, by the model of the last question. */
  vectors: SegmentVectors | undefined
  isDisposed = false
  count = 0
  live = 0
  totalLength = 0
  ords: Int32Array
  sessions: Int32Array
  seqs: Int32Array
  /** The session's number in this segment, from 0. */
  sessionPlaces: Int32Array
  /** Traits of the messages (traits.ts). */
  traits: Uint8Array
  saidAt: Float64Array
  lengths: Int32Array
  roles: Uint8Array
  speakers: Int32Array
  /** By session's number: 1 where a user talks with an assistant, who says a quarter of the messages or more; else 0. */
  talks = new Uint8Array(firstRoom)
  /** The message before and after in the same session, by seq. */
  previous: Int32Array
  next: Int32Array
  dead: Uint8Array
  /** Speakers by number: the name as given and folded into words, and the number of their messages. '' stands for no name. */
  readonly speakerNames: { readonly name: string; readonly words: readonly string[]; messages: number }[] = []
  /** Speakers who have a message. */
  liveSpeakers = 0
  readonly #speakers = new TermDictionary(16)
  readonly #languages = new TermDictionary(4)
  readonly #languageCounts: number[] = []
  #languageIds: Uint8Array
  readonly #said: { user: number; assistant: number }[] = []
  readonly #last = new Map<number, number>()
  readonly #sessionPlaces = new Map<number, number>()
  readonly #reader = new TermsReader()

  /** Makes initial room for `expected` messages and some more: arrays that grow by doubling leave holes behind. */
  constructor(partition: number, expected = 0) {
    this.partition = partition
    const room = firstRoom + Math.ceil(expected * 1.1)
    this.#words = new SegmentWords(powerOfTwo(Math.min(mostFirstTerms, room * newTermsPerMessage)))
    this.ords = new Int32Array(room)
    this.sessions = new Int32Array(room)
    this.seqs = new Int32Array(room)
    this.sessionPlaces = new Int32Array(room)
    this.traits = new Uint8Array(room)
    this.saidAt = new Float64Array(room)
    this.lengths = new Int32Array(room)
    this.roles = new Uint8Array(room)
    this.speakers = new Int32Array(room)
    this.previous = new Int32Array(room)
    this.next = new Int32Array(room)
    this.dead = new Uint8Array(room)
    this.#languageIds = new Uint8Array(room)
  }

  /** The number of sessions that have, or had, a message here. */
  get sessionCount(): number {
    return this.#sessionPlaces.size
  }

  /** Languages of the messages, most frequent first. */
  get languages(): string[] {
    return this.#languageCounts
      .map((count, id) => ({ language: this.#languages.term(id), count }))
      .filter(({ language, count }) => language !== '' && count > 0)
      .toSorted((a, b) => b.count - a.count || (a.language < b.language ? -1 : 1))
      .map(({ language }) => language)
  }

  /** Gives the share of the messages in a language. A session with few letters is in none. */
  shareIn(language: string): number {
    const id = this.#languages.find(language)
    return id === undefined ? 0 : (this.#languageCounts[id] ?? 0) / Math.max(1, this.live)
  }

  /** Estimated memory, in bytes. */
  get bytes(): number {
    return (
      bytesPerSegment +
      this.ords.length * bytesPerDocument +
      this.#said.length * bytesPerSession +
      this.#words.bytes +
      this.unstemmed.bytes +
      (this.vectors?.bytes ?? 0)
    )
  }

  add(row: TermsRow): void {
    if (this.count === this.ords.length) this.#grow()
    const doc = this.count
    this.count += 1
    this.live += 1
    this.ords[doc] = row.ord
    this.sessions[doc] = row.session_id
    this.seqs[doc] = row.seq
    this.traits[doc] = row.traits
    this.sessionPlaces[doc] = this.#placeOf(row.session_id)
    this.saidAt[doc] = row.said_at
    this.seq = row.ord
    this.storedBytes += row.to - row.from
    this.#read(doc, row)
    this.#countRole(doc, 1)
    this.#link(doc)
  }

  /** Must be called after messages were added. */
  settle(): void {
    this.#words.settle()
  }

  /** Gives the words that a question asks for, and those of one family with them. */
  wordsFor(asked: Parameters<SegmentWords['for']>[0]): IndexedWords {
    return this.#words.for(asked, this.dead)
  }

  /** Must be called when the segment is no longer kept. */
  dispose(): void {
    this.isDisposed = true
    this.vectors?.dispose()
  }

  /** Removes the messages at these ordinals, as if they had never been. */
  remove(ords: readonly number[]): void {
    let removed = 0
    for (const ord of ords) {
      const doc = this.find(ord)
      if (doc === undefined || this.dead[doc] === 1) continue
      this.dead[doc] = 1
      this.live -= 1
      this.totalLength -= this.lengths[doc] ?? 0
      const language = this.#languageIds[doc] ?? 0
      this.#languageCounts[language] = (this.#languageCounts[language] ?? 1) - 1
      if (this.#languages.term(language) === '') this.unstemmed.remove(doc)
      const speaker = this.speakerNames[this.speakers[doc] ?? 0]
      if (speaker !== undefined) {
        speaker.messages -= 1
        if (speaker.messages === 0) this.liveSpeakers -= 1
      }
      this.#countRole(doc, -1)
      this.#unlink(doc)
      removed += 1
    }
    if (removed === 0) return
    this.#words.remove(this.dead)
  }

  role(doc: number): Role {
    return roles[this.roles[doc] ?? 0] ?? 'user'
  }

  #read(doc: number, { bodies, from }: TermsRow): void {
    const reader = this.#reader
    reader.open(bodies, from)
    this.roles[doc] = reader.number()
    const language = reader.intern(this.#languages)
    this.#languageIds[doc] = language
    this.#languageCounts[language] = (this.#languageCounts[language] ?? 0) + 1
    const speaker = reader.intern(this.#speakers)
    this.speakers[doc] = speaker
    this.#countSpeaker(speaker)
    const length = reader.number()
    this.lengths[doc] = length
    this.totalLength += length
    if (this.#languages.term(language) === '') this.unstemmed.add(doc, reader)
    this.#words.add(doc, reader)
  }

  #placeOf(session: number): number {
    const known = this.#sessionPlaces.get(session)
    if (known !== undefined) return known
    const place = this.#sessionPlaces.size
    this.#sessionPlaces.set(session, place)
    return place
  }

  #countRole(doc: number, by: 1 | -1): void {
    const place = this.sessionPlaces[doc] ?? 0
    const said = (this.#said[place] ??= { user: 0, assistant: 0 })
    const role = this.role(doc)
    if (role !== 'user' && role !== 'assistant') return
    said[role] += by
    if (place >= this.talks.length) this.talks = wider(this.talks, new Uint8Array(place * 2))
    this.talks[place] = Number(said.user > 0 && said.assistant > 0 && said.assistant >= leastAssistant * (said.user + said.assistant))
  }

  #countSpeaker(speaker: number): void {
    const known = this.speakerNames[speaker]
    if (known === undefined || known.messages === 0) this.liveSpeakers += 1
    if (known === undefined) {
      const name = this.#speakers.term(speaker)
      this.speakerNames.push({
        name,
        words: fold(name)
          .split(/\s+/)
          .filter((word) => word !== ''),
        messages: 1,
      })
    } else known.messages += 1
  }

  /** Links the message into its session's order. A replacement comes late but belongs in the middle. */
  #link(doc: number): void {
    const session = this.sessions[doc] ?? 0
    let before = this.#last.get(session) ?? none
    let after = none
    while (before !== none && (this.seqs[before] ?? 0) > (this.seqs[doc] ?? 0)) {
      after = before
      before = this.previous[before] ?? none
    }
    this.previous[doc] = before
    this.next[doc] = after
    if (before !== none) this.next[before] = doc
    if (after === none) this.#last.set(session, doc)
    else this.previous[after] = doc
  }

  #unlink(doc: number): void {
    const before = this.previous[doc] ?? none
    const after = this.next[doc] ?? none
    if (before !== none) this.next[before] = after
    if (after !== none) this.previous[after] = before
    const session = this.sessions[doc] ?? 0
    if (this.#last.get(session) !== doc) return
    if (before === none) this.#last.delete(session)
    else this.#last.set(session, before)
  }

  /** Returns the number of the message at an ordinal, by binary search: ordinals rise. */
  find(ord: number): number | undefined {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.ords[middle] ?? 0) < ord) low = middle + 1
      else high = middle
    }
    return low < this.count && this.ords[low] === ord ? low : undefined
  }

  #grow(): void {
    const size = this.ords.length * 2
    this.ords = wider(this.ords, new Int32Array(size))
    this.sessions = wider(this.sessions, new Int32Array(size))
    this.seqs = wider(this.seqs, new Int32Array(size))
    this.sessionPlaces = wider(this.sessionPlaces, new Int32Array(size))
    this.traits = wider(this.traits, new Uint8Array(size))
    this.saidAt = wider(this.saidAt, new Float64Array(size))
    this.lengths = wider(this.lengths, new Int32Array(size))
    this.roles = wider(this.roles, new Uint8Array(size))
    this.speakers = wider(this.speakers, new Int32Array(size))
    this.previous = wider(this.previous, new Int32Array(size))
    this.next = wider(this.next, new Int32Array(size))
    this.dead = wider(this.dead, new Uint8Array(size))
    this.#languageIds = wider(this.#languageIds, new Uint8Array(size))
  }
}

function powerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(least))
}

function wider<Column extends Int32Array | Uint8Array | Float64Array>(old: Column, larger: Column): Column {
  larger.set(old)
  return larger
}
