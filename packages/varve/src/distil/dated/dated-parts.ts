import type { SourceMessage } from '../../models/writer.ts'
import type { NewPart } from '../../storage/derived/part-stores.ts'
import { datedTimes } from './dated-times.ts'
import type { ProjectCalendar } from './said-phrase.ts'

/** Languages whose texts hold the phrases: English, and that of a talk too short to tell. */
const languagesDated: ReadonlySet<string> = new Set(['en', ''])

/** Dates the times in the sentences of parts, and in the statements for documents, whoever wrote them. Quotes are no such text. */
export function datedParts(
  parts: readonly NewPart[],
  messages: readonly SourceMessage[],
  { calendar, language }: { readonly calendar: ProjectCalendar; readonly language: string },
): NewPart[] {
  if (!languagesDated.has(language)) return [...parts]
  const bySeq = new Map(messages.map((message) => [message.seq, message]))
  const dated = (text: string, from: readonly number[]): string =>
    datedTimes(
      text,
      from.flatMap((seq) => bySeq.get(seq) ?? []),
      calendar,
    )
  return parts.map((part) => ({
    ...part,
    sentences: part.sentences.map((one) => ({ ...one, text: dated(one.text, one.from) })),
    ...(part.subjects === undefined
      ? {}
      : {
          subjects: {
            ...part.subjects,
            facts: part.subjects.facts.map((one) => ({ ...one, fact: dated(one.fact, [one.seq, ...(one.also ?? [])]) })),
          },
        }),
  }))
}
