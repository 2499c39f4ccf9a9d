import { growingCache } from '../../caches/growing-cache.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { InvalidMessage } from '../../errors/invalid-message.ts'
import type { ImportHandle } from '../../importers/importer.ts'
import type { MessageInput } from '../../messages/message.ts'
import { ifKnown, messagePages } from '../stored-messages.ts'
import { carriedIn } from './carried-entries.ts'
import { type HeldSession, type ReadTranscripts, readTranscripts } from './held-session.ts'
import { type NewEntry, planEntries, type PlannedMessage, rowsOfStored } from './plan-entries.ts'
import { type GivenEntry, lastPromptOf, repeatedIn } from './repeated-words.ts'
import { markSession, nameSession } from './session-marks.ts'
import { TalkReader } from './talk-reader.ts'
import { type TranscriptEntry, type TranscriptKey, transcriptName } from './transcript-key.ts'
import type { ErasureReceipt, TranscriptMemory } from './transcript-memory.ts'

/** The most sessions, and transcripts, that a store keeps in mind. It reads the others anew. */
const maxKnown = 32
/** The most messages of one append, and ids of one erasure. */
const maxSent = 2_000
const maxForgotten = 500

/** The transcripts of one user, as messages of the user's sessions. */
export class Transcripts {
  readonly #memory: TranscriptMemory
  readonly #restores: boolean
  readonly #now: () => number
  readonly #held = growingCache<string, HeldSession>(maxKnown)
  readonly #readers = growingCache<string, TalkReader>(maxKnown)
  readonly #prompts = growingCache<string, GivenEntry>(maxKnown)
  /** The last change of each session: changes of one session follow each other. */
  readonly #lanes = new Map<string, Promise<unknown>>()

  constructor(memory: TranscriptMemory, { restoreForgotten, now }: { readonly restoreForgotten: boolean; readonly now: () => number }) {
    this.#memory = memory
    this.#restores = restoreForgotten
    this.#now = now
  }

  append(key: TranscriptKey, entries: readonly TranscriptEntry[]): Promise<void> {
    // Read at once: the caller may change them.
    const given = entries.map((entry) => ({ entry: { ...entry }, json: JSON.stringify(entry) }))
    return this.#inLane(key.sessionId, () => this.#append(key, given))
  }

  async load(key: TranscriptKey): Promise<TranscriptEntry[] | null> {
    const { held, transcripts } = await this.#read(key.sessionId)
    if (!this.#lanes.has(key.sessionId)) this.#held.set(key.sessionId, held)
    const entries = transcripts.get(transcriptName(key))?.all(held.ids) ?? []
    return entries.length === 0 ? null : [...entries]
  }

  async subpaths({ projectKey, sessionId }: TranscriptKey): Promise<string[]> {
    const paths = new Set<string>()
    for await (const messages of messagePages(this.#memory, sessionId)) {
      for (const { parts } of messages) {
        const { project, subpath } = carriedIn(parts) ?? {}
        if (project === projectKey && subpath !== undefined) paths.add(subpath)
      }
    }
    return [...paths]
  }

  /** Erases a transcript: with the whole session, or, where the session holds another's, what is its own. */
  erase(key: TranscriptKey): Promise<ErasureReceipt | undefined> {
    return this.#inLane(key.sessionId, async () => {
      this.#forgetKnown(key.sessionId)
      const own: string[] = []
      let isShared = false
      for await (const messages of messagePages(this.#memory, key.sessionId)) {
        for (const { id, parts, thread } of messages) {
          const carried = carriedIn(parts)
          if (carried !== undefined && carried.project !== key.projectKey) isShared = true
          const isOwn = carried?.project === key.projectKey && (key.subpath === undefined || carried.subpath === key.subpath)
          if (isOwn || (carried === undefined && key.subpath !== undefined && thread === key.subpath.split('/').at(-1))) own.push(id)
        }
      }
      if (own.length === 0) return undefined
      if (key.subpath === undefined && !isShared) return this.#memory.sessions.delete(key.sessionId)
      if (key.subpath === undefined) await markSession(this.#memory, key, false)
      return this.#forget(own)
    })
  }

  async #append(key: TranscriptKey, given: readonly GivenEntry[]): Promise<void> {
    const { sessionId: session } = key
    const held = await this.#heldOf(session)
    const entryIds = idsIn(held, transcriptName(key))
    const seen = new Set<string>()
    const fresh = given.filter(({ entry: { uuid } }) => uuid === undefined || !(entryIds.has(uuid) || seen.has(uuid) || !seen.add(uuid)))
    if (fresh.length === 0) return
    try {
      const entries = this.#told(key, fresh, given)
      const { messages, elsewhere } = planEntries(key, entries, held.ids)
      for (const [other, talk] of elsewhere) await this.#memory.append(other, talk, this.#options())
      const missing = await this.#store(session, messages, held)
      // Another stored the same talk meanwhile, and without its entries.
      if (missing.length > 0) await this.#store(session, rowsOfStored(key, missing, held.ids), held)
      for (const { entry } of entries) if (entry.uuid !== undefined) entryIds.add(entry.uuid)
      if (key.subpath === undefined) await markSession(this.#memory, key, true, held)
      const title = entries.findLast(({ talk }) => talk.title !== undefined)?.talk.title
      if (title !== undefined) await nameSession(this.#memory, session, title, held)
    } catch (error) {
      this.#forgetKnown(session)
      throw error
    }
  }

  #told(key: TranscriptKey, fresh: readonly GivenEntry[], given: readonly GivenEntry[]): readonly NewEntry[] {
    const name = `${key.sessionId}\0${transcriptName(key)}`
    const before = this.#prompts.get(name)
    const around = before === undefined ? given : [before, ...given]
    const prompt = lastPromptOf(given)
    if (prompt !== undefined) this.#prompts.set(name, prompt)
    const handle: ImportHandle = this.#memory
    const reader = this.#readers.get(name) ?? new TalkReader(key.sessionId, handle)
    this.#readers.set(name, reader)
    const now = this.#now()
    return fresh.map((one) => ({
      ...{ ...one, talk: reader.read(one.entry, one.json.length, now) },
      repeats: repeatedIn(one, around, around.indexOf(one)),
    }))
  }

  /** Stores messages, and returns the entries whose message the store had already. */
  async #store(session: string, planned: readonly PlannedMessage[], held: HeldSession): Promise<readonly NewEntry[]> {
    const missing: NewEntry[] = []
    for (let at = 0; at < planned.length; at += maxSent) {
      const some = planned.slice(at, at + maxSent)
      const duplicates = await this.#sent(session, some)
      for (const { message, carries } of some) {
        if (message.id === undefined) continue
        held.ids.add(message.id)
        if (duplicates.has(message.id)) missing.push(...carries)
      }
    }
    return missing
  }

  /** Appends messages. One that the store refuses goes without its words: what it carries stays. */
  async #sent(session: string, planned: readonly PlannedMessage[]): Promise<ReadonlySet<string>> {
    const messages: MessageInput[] = planned.map(({ message }) => message)
    for (let tries = 0; ; tries += 1) {
      try {
        return new Set((await this.#memory.append(session, messages, this.#options())).duplicates)
      } catch (error) {
        const index = VarveError.is(error) && error instanceof InvalidMessage ? error.index : undefined
        const refused = index === undefined ? undefined : messages[index]
        if (index === undefined || refused === undefined || refused.role === 'system' || tries >= messages.length) throw error
        const { id, at, parts = [] } = refused
        const carried = parts.filter((part) => carriedIn([part]) !== undefined)
        messages[index] = {
          ...{ role: 'system', content: 'A line of a transcript that could not be read.' },
          ...(id === undefined ? {} : { id }),
          ...(at === undefined ? {} : { at }),
          parts: carried,
        }
      }
    }
  }

  /** Reads a session, and erases the rows whose message was forgotten. */
  async #read(session: string): Promise<ReadTranscripts> {
    const read = await readTranscripts(this.#memory, session)
    await this.#forget(read.orphans)
    return read
  }

  /** Erases messages. Those that another erased meanwhile are none. */
  async #forget(messages: readonly string[]): Promise<ErasureReceipt | undefined> {
    let receipt: ErasureReceipt | undefined
    for (let at = 0; at < messages.length; at += maxForgotten)
      receipt = await ifKnown(this.#memory.forget({ messages: messages.slice(at, at + maxForgotten) }))
    return receipt
  }

  async #heldOf(session: string): Promise<HeldSession> {
    const known = this.#held.get(session)
    if (known !== undefined) return known
    const { held } = await this.#read(session)
    this.#held.set(session, held)
    return held
  }

  #forgetKnown(session: string): void {
    this.#held.delete(session)
    for (const name of this.#readers.keys()) if (name.startsWith(`${session}\0`)) this.#readers.delete(name)
  }

  #options(): { readonly restoreForgotten: boolean } {
    return { restoreForgotten: this.#restores }
  }

  #inLane<Result>(session: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#lanes.get(session) ?? Promise.resolve()).then(work)
    const lane = Promise.allSettled([done]).then(() => {
      if (this.#lanes.get(session) === lane) this.#lanes.delete(session)
    })
    this.#lanes.set(session, lane)
    return done
  }
}

function idsIn({ entryIds }: HeldSession, name: string): Set<string> {
  const ids = entryIds.get(name) ?? new Set()
  entryIds.set(name, ids)
  return ids
}
