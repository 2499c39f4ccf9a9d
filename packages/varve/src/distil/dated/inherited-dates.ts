import { addedDateAt } from '../../models/added-dates.ts'
import type { Sentence } from '../../models/writer.ts'
import { phrasesDatedBy } from './dated-times.ts'

/** Puts the dates of its sources behind the same phrases of a text: a model that joins texts may leave them out. */
export function withInheritedDates<Written extends Pick<Sentence, 'text'>>(
  written: readonly Written[],
  sourcesOf: (one: Written) => readonly string[],
): Written[] {
  return written.map((one) => ({
    ...one,
    text: phrasesDatedBy(one.text, ({ words }) => {
      const [date, ...others] = new Set(sourcesOf(one).flatMap((source) => datesBehind(source, folded(source), folded(words))))
      return others.length === 0 ? date : undefined
    }),
  }))
}

function folded(text: string): string {
  return text.replaceAll('’', "'").toLowerCase()
}

function datesBehind(source: string, text: string, words: string): string[] {
  const dates: string[] = []
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const date = addedDateAt(source, at + words.length)
    if (date !== undefined) dates.push(date)
  }
  return dates
}
