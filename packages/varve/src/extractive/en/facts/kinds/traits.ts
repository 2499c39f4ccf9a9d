import { is, type Reader, type Said, sure, weak } from '../../../facts/said.ts'
import { regex } from '../../../word-lists.ts'

const years =
  /^(?:am|have (?:just )?turned|(?:just )?turned) (?:only |already |just )?(\d{1,3})(?:,? (?:years|yrs?)(?: old| of age)?)?(?: and .+)?$/u
const spelt = regex('u')`^(?:am|(?:have )?(?:just )?turned) ((?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|
  three|four|five|six|seven|eight|nine))?)(?: years old)?$`
const tall = regex('u')`^am ((?:about )?(?:\d{2,3} ?(?:cm|centimetres|centimeters)|\d[.,]\d{1,2} ?(?:m|metres|meters)|\d (?:foot|feet|
  ft)(?: \d{1,2})?|\d'\d{1,2}"?)) tall$`
const weighs = /^weigh ((?:about )?\d{2,3}(?:[.,]\d)? ?(?:kg|kilos?|kilograms|lbs?|pounds|stone))$/u

/** Reads somebody's age, height and weight. */
export const traits: Reader = (phrase, { who, isAhead }) => {
  if (who === 'we' || isAhead) return []
  const age = years.exec(phrase)?.[1]
  if (age !== undefined) return ageOf(age, phrase, who === 'other')
  const word = spelt.exec(phrase)?.[1]
  if (word !== undefined) return is('age', word, phrase.endsWith('old') ? {} : { confidence: weak })
  return [...is('height', tall.exec(phrase)?.[1]), ...is('weight', weighs.exec(phrase)?.[1])]
}

/** Reads `I'm 5` alone is a score or a place in a queue. Of a child it may be the age. */
function ageOf(age: string, phrase: string, isOther: boolean): Said[] {
  const isSaid = /(?:old|age|yrs?|years)$/u.test(phrase) || phrase.includes('turned')
  const least = isOther || isSaid ? 0 : 13
  if (Number(age) < least || Number(age) > 115) return []
  return is('age', age, { confidence: isSaid ? sure : weak, tense: phrase.includes('turned') ? 'past' : 'present' })
}

const pronouns = /^(?:my pronouns are|I (?:use|go by)) ((?:she|he|they|it|xe|ze)(?:\/\p{L}{2,6}){1,2})(?: pronouns)?$/iu

export function pronounsIn(clause: string): Said[] {
  return is('pronouns', pronouns.exec(clause)?.[1])
}
