import { isNamed, nameKey } from '../documents/names.ts'
import type { FactAside } from '../storage/pages/page-facts.ts'
import type { Program } from '../storage/program.ts'
import { type DocumentEdit, extractEdits, type PendingSubject, subjectNamed } from './pending-documents.ts'

/** Without a model a subject has a document from so many facts on. */
const fewestFacts = 3

/**
 * Puts facts on subjects without a name and a document under their speakers. Without a model nothing else tells whose a
 * boat is.
 */
export function* underSpeakers(partition: number, subjects: readonly PendingSubject[]): Program<readonly PendingSubject[]> {
  const nameless = subjects.filter(isNameless)
  const known = new Map(subjects.filter((one) => !nameless.includes(one)).map((one) => [nameKey(one.name), one]))
  for (const [speaker, facts] of Map.groupBy(
    nameless.flatMap((one) => one.facts),
    ({ speaker = '' }) => speaker,
  )) {
    const own = known.get(nameKey(speaker)) ?? (yield* subjectNamed(partition, speaker))
    known.set(nameKey(speaker), { ...own, facts: [...own.facts, ...facts.map((fact) => ({ ...fact, subject: speaker }))] })
  }
  return [...known.values()]
}

function isNameless({ name, facts, document }: PendingSubject): boolean {
  return document === undefined && facts.every(({ speaker }) => speaker !== undefined && !isNamed(name, speaker))
}

/** Tells whether a document is worth making without a model: there is one, a model read its facts, or they are enough. */
export function isWorthPage(edit: DocumentEdit): boolean {
  if (edit.page !== 0 || !edit.isQuoted) return true
  const steps = extractEdits(edit).flatMap((write) => write.steps)
  return new Set(steps.map(({ content }) => content)).size >= fewestFacts
}

export function asideOf({ name, facts }: DocumentEdit): FactAside[] {
  return facts.flatMap(({ ids }) => ids.map((id) => ({ id, subject: name, key: nameKey(name) })))
}
