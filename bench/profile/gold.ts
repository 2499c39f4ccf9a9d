import { terms } from '../coverage/talks.ts'
import { readJsonList, record } from '../talk/json.ts'

/** Content words of a text about one person, without that person's name. */
export type Words = ReadonlySet<string>

/** What is known of a conversation's persons: the content words of each observation, by the person's name. */
export type Gold = ReadonlyMap<string, readonly Words[]>

/** Reads the observations of each conversation: LoCoMo lists them by session and by speaker. */
export function readGold(path: string): readonly Gold[] {
  return readJsonList(path).map((sample) => {
    const all = Object.values(record(sample['observation'])).flatMap((session) => Object.entries(record(session)))
    const gold = new Map<string, Words[]>()
    for (const [person, observations] of all) {
      const words = textsOf(observations).map((text) => wordsAbout(person, text))
      gold.set(person, [...(gold.get(person) ?? []), ...words.filter(({ size }) => size > 0)])
    }
    return gold
  })
}

/** Returns the content words of a text, without those of a person's name. */
export function wordsAbout(person: string, text: string): Words {
  const names = new Set(terms(person))
  // Sentence by sentence: only the first words of a question are read.
  return new Set(text.split(/(?<=[.!?;]) /u).flatMap((sentence) => terms(sentence).filter((term) => !names.has(term))))
}

/** An observation is a pair: its text, and the turns that it rests on. */
function textsOf(observations: unknown): string[] {
  return Array.isArray(observations) ? observations.map((one) => String(Array.isArray(one) ? one[0] : one)) : []
}
