import { itemsIn } from '../objects.ts'
import { is, type Reader, type Said } from '../../../facts/said.ts'
import { regex, source } from '../../../word-lists.ts'

const diagnosed =
  /^(?:was|am|have been|got|have just been) (?:just |recently |finally |newly )?diagnosed with (?:an? (?:mild |severe |bad )?)?(.+)$/u
const noIllness = /^(?:it|this|that|something|nothing|anything|the|my|a|love|stupidity)\b| (?:by|at|and|or|of the|because|but) /iu
const taking = /^(?:take|am taking|am on|was put on|have been put on|was prescribed|have been prescribed|got prescribed) (.+)$/u
const often = source`(?: (?:(?:once|twice|three times|four times) (?:a|per) (?:day|week)|daily|every (?:day|morning|evening|night)|
  in the (?:morning|mornin|evening)s?|at (?:night|bedtime)|with (?:food|breakfast|dinner)|as needed))*`
const dosed = new RegExp(`^(\\p{L}[\\p{L}-]{3,24} \\d[\\d.,]{0,6} ?(?:mg|mcg|µg|micrograms|milligrams))${often}$`, 'u')
const endings = source`pril|sartan|olol|statin|formin|prazole|cillin|oxetine|alopram|thyroxine|zepam|dipine|gliptin|gliflozin|glutide|
  triptan|oxaban|mycin|profen`
const named = regex('iu')`^(\p{L}{2,20}(?:${endings})|insulin|warfarin|prednisone|prednisolone|lithium|ritalin|adderall|vyvanse|aspirin|
  paracetamol)${often}$`

/** Reads illnesses that were diagnosed, and medicines, which their name or their dose tells. */
export const health: Reader = (phrase, { who, isAhead }) => {
  if (who === 'we') return []
  const illness = diagnosed.exec(phrase)?.[1]
  const isNamed = /^[\p{L}\d'-]{2,20}(?: [\p{L}\d'-]{1,20}){0,4}$/u.test(illness ?? '')
  if (illness !== undefined) return isNamed && !noIllness.test(illness) ? is('has', illness, { tense: 'past' }) : []
  const taken = isAhead ? undefined : taking.exec(phrase)?.[1]
  return taken === undefined ? [] : itemsIn(taken).flatMap((item) => is('takes', (dosed.exec(item) ?? named.exec(item))?.[1]))
}

const mine = regex('u')`(?:^|\s)my (?:severe |bad |mild |serious )?(\p{Ll}{3,20}(?: \p{Ll}{3,12})?) allergy(?! (?:is|was|has|turned|went|
  seems|test|season|pills?|tablets?|meds?|jabs?|shots?|doctor|clinic)\b)`
const noAllergen = regex('u')`^(?:own|old|new|childhood|seasonal|summer|spring|food|skin|drug|pet|contact|weird|strange|stupid|worst|
  biggest|former|alleged|supposed|so-called|usual|annoying|husband|wife|daughter|son|sister|brother|mother|father|friend)\b`

/** Reads `I told them about my penicillin allergy`: the speaker has it. */
export function allergyIn(clause: string): Said[] {
  const to = / (?:no longer|not|never|isn't|wasn't|don't|outgrew|outgrown|gone)\b/u.test(clause) ? undefined : mine.exec(clause)?.[1]
  return to === undefined || noAllergen.test(to) ? [] : is('allergic to', to)
}
