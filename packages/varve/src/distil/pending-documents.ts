import { localDay } from '../bank/periods.ts'
import { type DatedFact, descriptionOf, withBullet } from '../documents/bullets.ts'
import { documentChars } from '../documents/document.ts'
import { nameKey } from '../documents/names.ts'
import { assignSubjects } from '../documents/subjects.ts'
import type { DocumentStep, DocumentWrite } from '../documents/work-in.ts'
import { extractive } from '../models/writer.ts'
import { pageOfSubject, pendingPageFacts } from '../storage/pages/page-facts.ts'
import { findDocument, pageById } from '../storage/pages/pages.ts'
import type { Program } from '../storage/program.ts'

/** The most facts that are worked in in one pass. */
const mostFacts = 100

/** A fact that waits, by its number. */
interface PendingFact {
  readonly id: number
  readonly subject: string
  readonly fact: string
  readonly seq: number
  readonly saidAt: number
}

/** The waiting facts of one subject. */
export interface PendingSubject {
  readonly name: string
  readonly facts: readonly PendingFact[]
  /** The document of that name, or the one that earlier facts of the subject went to; undefined when there is neither. */
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
  /** Free names for further documents, for facts that find no room. */
  readonly further: readonly string[]
}

/** Reads the oldest waiting facts of a partition, by subject. */
export function* pendingSubjects(partition: number): Program<readonly PendingSubject[]> {
  const found: PendingSubject[] = []
  for (const [key, some] of Map.groupBy(yield* pendingPageFacts(partition, mostFacts), ({ subject_key: of }) => of)) {
    const facts = some.map(({ id, subject, fact, seq, said_at: saidAt }) => ({ id, subject, fact, seq, saidAt }))
    found.push({
      name: facts[0]?.subject ?? '',
      facts,
      document: (yield* pageOfSubject(partition, key)) ?? (yield* findDocument(partition, key))?.id,
    })
  }
  return found
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
    const page = document === undefined ? undefined : yield* pageById(document)
    const facts = [...Map.groupBy(mine, ({ fact }) => nameKey(fact)).values()].flatMap((same) => {
      const [first] = same
      return first === undefined ? [] : [{ fact: first.fact, day: localDay(first.saidAt, timeZone), ids: same.map(({ id }) => id) }]
    })
    const edit = {
      page: page?.id ?? 0,
      revision: page?.revision ?? 0,
      name: page?.name ?? name,
      description: page?.description ?? '',
      content: page?.content ?? '',
      maxChars: page?.max_chars ?? documentChars.usual,
      facts,
    }
    edits.push({ ...edit, further: mayOverflow(edit) ? yield* freeNames(partition, edit.name, facts.length, taken) : [] })
  }
  return edits
}

/** A bound on the characters around a bullet's words: the dash, the day and the line ends. */
const aroundBullet = 20

function mayOverflow({ content, maxChars, facts }: Pick<DocumentEdit, 'content' | 'maxChars' | 'facts'>): boolean {
  return facts.reduce((sum, { fact }) => sum + fact.length + aroundBullet, content.length) > maxChars
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
