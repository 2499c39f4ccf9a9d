import type { SubjectFact } from '../models/writer.ts'
import { factKey, nameKey } from './names.ts'

/** What was said of one subject, for one editor. */
export interface Assigned<Id> {
  /** The document that is meant; undefined for a new one. */
  readonly document: Id | undefined
  /** As it was first said. */
  readonly name: string
  /** Other names under which it was spoken of, each once. */
  readonly also: readonly string[]
  readonly facts: readonly SubjectFact[]
}

/**
 * One entry a document, old or new, in the order of the talk: one name makes one document, however it is spelt and
 * wherever it is said. `find` tells which document a subject means.
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

/** Each fact once, as it was said first. */
function unrepeated(facts: readonly SubjectFact[]): SubjectFact[] {
  const seen = new Set<string>()
  return facts.toSorted((a, b) => a.seq - b.seq).filter(({ fact }) => seen.size < seen.add(factKey(fact)).size)
}
