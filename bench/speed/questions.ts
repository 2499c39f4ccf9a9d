import { Dialogue } from '../shared/dialogue.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'
import { type Store, userOf } from './tasks.ts'

/** The messages of each partition that questions are about: its oldest, as the import made them. */
const askedAbout = 500

/** The most questions that are made for one that is taken. */
const mostTries = 2_000

export interface Question {
  readonly user: string
  readonly text: string
}

/** Makes so many different questions, the partitions in turn; only wanted ones. */
export function makeQuestions(store: Store, count: number, isWanted: (text: string) => boolean = () => true): Question[] {
  const vocabulary = makeVocabulary()
  const shown = Math.min(store.partitions, count)
  const each = Math.ceil(count / shown)
  const perPartition = Array.from({ length: shown }, (_, partition) => {
    const dialogue = new Dialogue(partition, vocabulary)
    const said = dialogue.messages(Math.min(askedAbout, store.messages / store.partitions))
    let made = 0
    const next = (): string => dialogue.question(said[(made++ * 97) % said.length] ?? { role: 'user' })
    return Array.from({ length: each }, () => ({ user: userOf(partition), text: firstOf(next, isWanted) }))
  })
  return Array.from(
    { length: count },
    (_, index) => perPartition[index % shown]?.[Math.floor(index / shown)] ?? { user: userOf(0), text: '' },
  )
}

function firstOf(next: () => string, isWanted: (text: string) => boolean): string {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const text = next()
    if (isWanted(text)) return text
  }
  throw new RangeError(`none of ${mostTries} questions was as wanted`)
}
