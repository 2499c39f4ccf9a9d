import { itemsIn } from '../objects.ts'
import { is, type Reader } from '../said.ts'

const diagnosed = /^(?:was|am|have been|got|have just been) (?:just |recently |finally |newly )?diagnosed with (?:an? (?:mild |severe |bad )?)?(.+)$/u
const noIllness = /^(?:it|this|that|something|nothing|anything|the|my|a|love|stupidity)\b| (?:by|at|and|or|of the|because|but) /iu
const taking = /^(?:take|am taking|am on|was put on|have been put on|was prescribed|have been prescribed|got prescribed) (.+)$/u
const often = '(?: (?:(?:once|twice|three times|four times) (?:a|per) (?:day|week)|daily|every (?:day|morning|evening|night)|in the (?:morning|mornin|evening)s?|at (?:night|bedtime)|with (?:food|breakfast|dinner)|as needed))*'
const dosed = new RegExp(`^(\\p{L}[\\p{L}-]{3,24} \\d[\\d.,]{0,6} ?(?:mg|mcg|µg|micrograms|milligrams))${often}$`, 'u')
const endings = 'pril|sartan|olol|statin|formin|prazole|cillin|oxetine|alopram|thyroxine|zepam|dipine|gliptin|gliflozin|glutide|triptan|oxaban|mycin|profen'
const named = new RegExp(`^(\\p{L}{2,20}(?:${endings})|insulin|warfarin|prednisone|prednisolone|lithium|ritalin|adderall|vyvanse|aspirin|paracetamol)${often}$`, 'iu')

/** What somebody was found to suffer from, and which medicine, told by its name or its dose, is taken. */
export const health: Reader = (phrase, { who, isAhead }) => {
  if (who === 'we') return []
  const illness = diagnosed.exec(phrase)?.[1]
  if (illness !== undefined) return noIllness.test(illness) || !/^[\p{L}\d'-]{2,20}(?: [\p{L}\d'-]{1,20}){0,4}$/u.test(illness) ? [] : is('has', illness, { tense: 'past' })
  const taken = isAhead ? undefined : taking.exec(phrase)?.[1]
  return taken === undefined ? [] : itemsIn(taken).flatMap((item) => is('takes', (dosed.exec(item) ?? named.exec(item))?.[1]))
}
