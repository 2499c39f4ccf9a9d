import { localDay } from '../bank/periods.ts'
import { type DatedFact, descriptionOf, withBullet } from '../documents/bullets.ts'
import { documentChars } from '../documents/document.ts'
import { nameKey, speakerNamed, thingOf } from '../documents/names.ts'
import { assignSubjects } from '../documents/subjects.ts'
import type { DocumentStep, DocumentWrite } from '../documents/work-in.ts'
import { extractive } from '../models/writer.ts'
import { forgetting } from '../storage/erase/page-erasure.ts'
import { pageFactsAside, pageOfSubject, pendingPageFacts, type WaitingPageFact } from '../storage/pages/page-facts.ts'
import { findDocument, pageById } from '../storage/pages/pages.ts'
import { revisionOutlines } from '../storage/pages/page-revisions.ts'
import { abreast, type Program } from '../storage/program.ts'

/** The most facts that are worked in in one pass. */
const mostFacts = 100

/** A fact that waits, by its number. */
interface PendingFact {
  readonly id: number
  readonly subject: string
  readonly fact: string
  readonly seq: number
  readonly saidAt: number
  /** The speaker of a fact that is in a person's own words. */
  readonly speaker: string | undefined
  /** The name that the speaker's message has; undefined for the partition's own user, and for a model's words. */
  readonly name: string | undefined
}

/** The waiting facts of one subject, and those that were set aside. */
export interface PendingSubject {
  readonly name: string
  readonly facts: readonly PendingFact[]
  /** The document of that name, or that took earlier facts of the subject, or that somebody wrote about the speaker's thing. */
  readonly document: number | undefined
}

/** A fact as an editor is shown it, and the numbers under which it waits. */
interface EditedFact extends DatedFact {
  readonly ids: readonly number[]
}

/** A document as an editor is shown it, with its new facts: each once, the oldest first. */
export interface DocumentEdit {
  /** Its number, or 0 for a new one. */
  readonly page: number
  readonly revision: number
  readonly name: string
  readonly description: string
  readonly content: string
  readonly maxChars: number
  readonly facts: readonly EditedFact[]
  /** True when all of the facts are in persons' own words: no model read them. */
  readonly isQuoted: boolean
  /** Free names for further documents, for facts that find no room. */
  readonly further: readonly string[]
}

/** Reads the oldest waiting facts of a partition, by subject. */
export function* pendingSubjects(partition: number): Program<readonly PendingSubject[]> {
  const waiting = (yield* pendingPageFacts(partition, mostFacts)).map(factOf)
  const subjects = [...Map.groupBy(waiting, ({ subject }) => nameKey(subject)).values()]
  return yield* abreast(subjects.map((facts) => subjectNamed(partition, facts[0]?.subject ?? '', facts)))
}

/** Reads the facts of a subject that were set aside, and finds its document. */
export function* subjectNamed(partition: number, name: string, waiting: readonly PendingFact[] = []): Program<PendingSubject> {
  const key = nameKey(name)
  const [aside, taken, named] = yield* abreast([
    pageFactsAside(partition, key, mostFacts),
    pageOfSubject(partition, key),
    findDocument(partition, key),
  ])
  const facts = [...aside.map(factOf), ...waiting]
  const document = taken ?? named?.id
  const thing = thingOf(name, facts[0]?.speaker ?? '')
  return { name, facts, document: document ?? (thing === undefined ? undefined : yield* writtenAbout(partition, thing)) }
}

function factOf({ id, subject, fact, seq, said_at: saidAt, writer, name, owner }: WaitingPageFact): PendingFact {
  const isQuoted = writer === extractive
  const speaker = isQuoted ? speakerNamed(name, owner) : undefined
  return { id, subject, fact, seq, saidAt, speaker, name: isQuoted ? (name ?? undefined) : undefined }
}

/** Finds the document that a person, an agent or a model wrote about a thing, whoever's it is. */
function* writtenAbout(partition: number, thing: string): Program<number | undefined> {
  const page = yield* findDocument(partition, nameKey(thing))
  const revisions = page === undefined ? [] : yield* revisionOutlines(page)
  return revisions.some(({ writer }) => writer !== extractive && writer !== forgetting) ? page?.id : undefined
}

/** Makes one edit a document, however many subjects mean it. */
export function* documentEdits(partition: number, subjects: readonly PendingSubject[], timeZone: string): Program<readonly DocumentEdit[]> {
  const documents = new Map(subjects.map(({ name, document }) => [nameKey(name), document]))
  const all = subjects.flatMap(({ facts }) => facts)
  const edits: DocumentEdit[] = []
  const taken = new Set(subjects.map(({ name }) => nameKey(name)))
  for (const { document, name, also } of assignSubjects(all, (subject) => documents.get(nameKey(subject)))) {
    const keys = new Set([name, ...also].map(nameKey))
    const mine = all.filter(({ subject }) => keys.has(nameKey(subject))).toSorted((a, b) => a.saidAt - b.saidAt || a.id - b.id)
    const page = document === undefined ? undefined : yield* pageById({ id: document, partition_id: partition })
    const facts = [...Map.groupBy(mine, ({ fact, name = '' }) => JSON.stringify([nameKey(fact), name])).values()].flatMap((same) => {
      const [first] = same
      if (first === undefined) return []
      const { fact, name: speaker, saidAt } = first
      return [{ fact, day: localDay(saidAt, timeZone), speaker, ids: same.map(({ id }) => id) }]
    })
    const edit = {
      page: page?.id ?? 0,
      revision: page?.revision ?? 0,
      name: page?.name ?? name,
      description: page?.description ?? '',
      content: page?.content ?? '',
      maxChars: page?.max_chars ?? documentChars.usual,
      facts,
      isQuoted: mine.every(({ speaker }) => speaker !== undefined),
    }
    edits.push({ ...edit, further: mayOverflow(edit) ? yield* freeNames(partition, edit.name, facts.length, taken) : [] })
  }
  return edits
}

/** A bound on the characters around a bullet's words and its speaker: the dash, the day, signs and the line ends. */
const aroundBullet = 22

function mayOverflow({ content, maxChars, facts }: Pick<DocumentEdit, 'content' | 'maxChars' | 'facts'>): boolean {
  return facts.reduce((sum, { fact, speaker = '' }) => sum + fact.length + speaker.length + aroundBullet, content.length) > maxChars
}

/**
 * Finds names that follow one, `Harbour (2)` after `Harbour`, and that neither a document nor a subject of this pass
 * has. It takes them.
 */
function* freeNames(partition: number, name: string, wanted: number, taken: Set<string>): Program<readonly string[]> {
  const free: string[] = []
  for (let next = continued(name); free.length < wanted; next = continued(next)) {
    const key = nameKey(next)
    if (taken.has(key) || (yield* findDocument(partition, key)) !== undefined) continue
    taken.add(key)
    free.push(next)
  }
  return free
}

/**
 * Writes documents without a model: dated bullets, a revision each, so that each goes with its own message. A fact that
 * finds no room begins another document.
 */
export function extractEdits({ page, revision, name, content, maxChars, facts, further }: DocumentEdit): readonly DocumentWrite[] {
  const writes: DocumentWrite[] = []
  const names = further.values()
  let [stands, steps]: [string, DocumentStep[]] = [content, []]
  let place = { page, basis: revision, name }
  let room = maxChars
  for (const { ids, ...fact } of facts) {
    let next = withBullet(stands, fact, room)
    if (next === undefined) {
      if (steps.length > 0) writes.push({ ...place, writer: extractive, sawPage: false, steps })
      place = { page: 0, basis: 0, name: names.next().value ?? continued(place.name) }
      steps = []
      room = documentChars.usual
      next = withBullet('', fact, room) ?? ''
    }
    stands = next
    steps.push({ content: stands, description: descriptionOf(place.name, stands), facts: ids })
  }
  return [...writes, { ...place, writer: extractive, sawPage: false, steps }]
}

/** Names the document that follows a full one: `Harbour (2)` after `Harbour`. */
function continued(name: string): string {
  const numbered = /^(.*) \((\d{1,4})\)$/.exec(name)
  return numbered === null ? `${name} (2)` : `${numbered[1] ?? name} (${Number(numbered[2]) + 1})`
}
