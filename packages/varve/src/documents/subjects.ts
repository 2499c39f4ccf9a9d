import type { SubjectFact } from '../models/writer.ts'
import { factKey, nameKey } from './names.ts'

/** The facts of one subject, for one editor. */
export interface Assigned<Id> {
  /** The document that is meant; undefined for a new one. */
  readonly document: Id | undefined
  /** Its first name in the talk. */
  readonly name: string
  /** Its other names in the talk, each once. */
  readonly also: readonly string[]
  readonly facts: readonly SubjectFact[]
}

/**
 * Groups facts by document, old or new, in the order of the talk. One name makes one document, in every spelling and
 * place. `find` tells which document a subject means.
 */
export function assignSubjects<Id>(
  facts: readonly SubjectFact[],
  find: (subject: string, facts: readonly SubjectFact[]) => Id | undefined,
): Assigned<Id>[] {
  const found: Assigned<Id>[] = []
  for (const [, of] of Map.groupBy(facts, ({ subject }) => nameKey(subject))) {
    const names = namesOf(of)
    const name = names[0] ?? ''
    const document = find(name, of)
    const place = document === undefined ? -1 : found.findIndex((other) => other.document === document)
    const same = found[place]
    if (same === undefined) found.push({ document, name, also: names.slice(1), facts: unrepeated(of) })
    else
      found[place] = {
        ...same,
        also: [...same.also, ...names.filter((one) => ![same.name, ...same.also].includes(one))],
        facts: unrepeated([...same.facts, ...of]),
      }
  }
  return found
}

function namesOf(facts: readonly SubjectFact[]): string[] {
  return [...new Set(facts.map(({ subject }) => subject))]
}

/** Gives each fact once, in its first wording. */
function unrepeated(facts: readonly SubjectFact[]): SubjectFact[] {
  const seen = new Set<string>()
  return facts.toSorted((a, b) => a.seq - b.seq).filter(({ fact }) => seen.size < seen.add(factKey(fact)).size)
}
