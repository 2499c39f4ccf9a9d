import { itemsIn } from '../objects.ts'
import { is, type Reader, type Said } from '../../../facts/said.ts'
import { food } from '../self.ts'
import { regex, source } from '../../../word-lists.ts'

const substance = source`(?:lactose|gluten|fructose|histamine|dairy|egg|eggs|nut|nuts|soy|soya|wheat|yeast|milk|sorbitol|salicylates?|
  sulphites?|sulfites?|caffeine|alcohol|casein)`
const intolerant = regex('u')`^(?:am|have (?:been|become)|became) (?:(?:also|very|severely|slightly|mildly|
  a bit) )?(?:(${substance})[ -]intolerant|intolerant (?:to ([\p{Ll} -]{3,40})|of (${substance})))$`
const intolerance = regex('u')`^have (?:an? |got an? )?(?:(?:severe|mild|slight|bad) )?(?:(${substance}) intolerance|
  intolerance to ([\p{Ll} -]{3,40}))$`
const free = regex('u')`^(?:am|eat|have (?:been|gone)|went|am eating) (?:(?:also|strictly|mostly|fully|completely) )?(gluten|dairy|sugar|
  nut|lactose|wheat|egg|alcohol|grain|soya?)[ -]free$`
const without = regex(
  'u',
)`^(?:(?:don't|do not|can't|cannot|never|won't) (?:really |ever |actually )?(eat|drink|have(?= (?:any )?${substance}\b))|
  (?:have )?(?:completely |just )?(?:stopped|quit|given up|gave up) (eating|drinking)) (?:any )?(.+)$`
const tail = regex('u')` (?:at all|completely|altogether|any ?more|anymore|either|entirely|for (?:religious|health|medical|
  ethical) reasons|full stop|period|whatsoever|in any form|these days)$`
/** Words that are no food, or that are about one meal alone. */
const noFood = regex('u')`^(?:(?:much|a lot|out|enough|well|like|it|that|this|them|those|these|here|there|at|after|before|when|anything|
  everything|nothing|something|until|late|early|alone|lunch|dinner|breakfast|properly|very|too|so|more|less|many|as|from|in|on|with|your|
  my|his|her|their|the|a|an|because|and|or|for|of|to|during|while|if|unless|only|just|what|where|big|large|healthily|regularly|another|
  any|anymore|bite|food)(?: |$)|.+ (?:for|bite|today|tonight|tomorrow|yesterday|lately|much|often|before|after|on|during|when|if|until|
  unless|while|in|at|every|now|like|anymore|with|from|that|who|which|alone|in|right)(?: |$))`
const illness = /^(?:am (?:a )?|have (?:got )?)(coeliac|celiac)(?: disease)?$/u

/** Reads intolerances, and the things that somebody does not eat or drink. */
export const abstaining: Reader = (phrase, { who }) => {
  if (who === 'we') return avoided(phrase)
  const ill = illness.exec(phrase)?.[1]
  if (ill !== undefined) return is('has', `${ill} disease`)
  const not = intolerant.exec(phrase) ?? intolerance.exec(phrase)
  if (not !== null) return foods(not[1] ?? not[2] ?? not[3] ?? '').flatMap((item) => is('intolerant to', item))
  const freed = free.exec(phrase)?.[1]
  if (freed !== undefined)
    return freed === 'alcohol' ? is('does not drink', freed) : is('does not eat', /^(?:nut|egg)$/u.test(freed) ? `${freed}s` : freed)
  if (/^(?:am|have been) (?:a )?(?:teetotal|teetotaller)$|^(?:don't|do not) drink$/u.test(phrase)) return is('does not drink', 'alcohol')
  return avoided(phrase)
}

const both = /^am (.{3,40}?)(?:, | and |, and )(.{3,60})$/u

/** `vegan and gluten-free`: the second is read where the first is. */
export const eatingBoth: Reader = (phrase, setting) => {
  const [, first = '', second = ''] = both.exec(phrase) ?? []
  const [found, more] = [first, second].map((part) => [food, abstaining].flatMap((read) => read(`am ${part}`, setting)))
  return found === undefined || found.length === 0 ? [] : [...found, ...(more ?? [])]
}

function avoided(phrase: string): Said[] {
  const [, eats, stopped, what = ''] = without.exec(phrase) ?? []
  if (what === '') return []
  const predicate = `does not ${(eats ?? stopped ?? '').replace(/ing$/u, '').replace('have', 'eat')}`
  return foods(what.replace(tail, '').replace(tail, '')).flatMap((item) =>
    is(predicate, item, stopped === undefined ? {} : { tense: 'past' }),
  )
}

/** Returns the foods of a list. One item that is no food makes the list none. */
function foods(text: string): string[] {
  const items = itemsIn(text.replaceAll(/ (?:or|nor) /gu, ' and '))
  const isFood = items.every((item) => /^[\p{L}-]{3,20}(?: [\p{L}-]{3,20}){0,2}$/u.test(item) && !noFood.test(item))
  return isFood ? items : []
}
