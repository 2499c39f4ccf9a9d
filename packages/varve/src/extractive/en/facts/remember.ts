import type { SentencePassage } from './passages.ts'
import { masked } from '../../facts/reading.ts'
import { is, type Said, weak } from '../../facts/said.ts'

const asking = new RegExp(
  String.raw`^(?:(?:and|also|so|ok|okay),? )?(?:(please,? )?(?:remember|keep in mind|bear in mind|don't ` +
    String.raw`forget)(?: (that)|(:)|,)?) (.{3,160}?)[.!]*$`,
  'iu',
)
const stated = /^(?:my|our|the|we|I)\b/iu
const notStated = /^(?:to|when|how|me|the time|not|them|him|her|it)\b|\b(?:you|your|yours|yourself|please)\b|^(?:always|never)\b/iu

/** Reads requests to remember something, in the person's words, where no other pattern reads them. */
export function askedToRemember({ text, isQuestion }: SentencePassage): Said[] {
  const [, please, that, colon, what = ''] = asking.exec(text) ?? []
  if (what === '' || isQuestion || notStated.test(what) || what.includes(masked)) return []
  const isPlain = that !== undefined || colon !== undefined || (please !== undefined && stated.test(what))
  return isPlain ? is('asked to remember', what, { confidence: weak }) : []
}
