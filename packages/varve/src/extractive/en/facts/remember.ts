import { masked } from '../../facts/reading.ts'
import { is, type Said, weak } from '../../facts/said.ts'
import type { SentencePassage } from './passages.ts'
import { regex } from '../../word-lists.ts'

const maxWords = 160
/** Instructions to the assistant, questions, and things that may not be so. */
const notStated = regex('iu')`^(?:to|when|how|what|where|who|why|me|the time|not|them|him|her|it|(?:i|we) (?:may|might|could))\b|
  \b(?:you|your|yours|yourself|please)\b|(?:^|[,;:] |\b(?:so|and) )(?:always|never|don't|do not|use|avoid|make sure|answer|reply|keep)\b`

/** Reads requests to remember something, in the person's words, where no other pattern reads them. */
export function askedToRemember({ text, lead, isQuestion }: SentencePassage): Said[] {
  const what = text.replace(/[.!\s]+$/u, '')
  if (lead?.asksToKeep !== true || isQuestion || what.split(' ').length < 3 || what.length > maxWords) return []
  return what.includes(masked) || notStated.test(what) ? [] : is('asked to remember', what, { confidence: weak })
}
