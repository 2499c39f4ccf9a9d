import type { SentencePassage } from '../passages.ts'
import { masked } from '../../../facts/reading.ts'
import { is, type Said, weak } from '../../../facts/said.ts'
import { regex } from '../../../word-lists.ts'

const reminding = regex('iu')`(?:^|[,;.!] ?|\b(?:and|but|so|please|pls|btw|ok|okay|also) )(?:(?:can|could|will|
  would) you (?:please )?)?(?:please |pls )?(?:remind me|i need to be reminded|i(?: want|'d like) to be reminded)
  (?: again| later| please)? (?:(to)|that|about) (.{3,140}?)(?:,? (?:please|pls|thanks|thank you))?[.!?]*$`
const unclear = /^(?:it|this|that|him|her|them|you|me|what|how|why|when|again)\b|\b(?:you|your|if|unless|whether)\b|[?!.]/iu

/** Reads `Remind me to renew my passport`: reads the thing to be remembered, with its time as it was said. */
export function reminderIn({ text }: SentencePassage): Said[] {
  const [, to, what] = text.length > 300 ? [] : (reminding.exec(text) ?? [])
  if (what === undefined || what.includes(masked) || unclear.test(what)) return []
  return is('asked to remember', to === undefined ? what : `to ${what}`)
}

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
