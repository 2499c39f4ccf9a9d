import { animalOf } from './kinds/animals.ts'
import { belongingIn, itemsIn, tasteIn, tastesIn } from './objects.ts'
import { is, type Reader, type Said, weak } from '../../facts/said.ts'
import { isLanguage } from './words.ts'
import { regex } from '../../word-lists.ts'

const likes = /^(?:love|like|enjoy|adore|have always (?:loved|liked)|am (?:very |really )?fond of|am keen on) (.+)$/u
const prefers = /^prefer (.+)$/u
const compared = /^(.{2,40}?) (?:more|better) than (.{2,40})$/u
const dislikes = regex('u')`^(?:hate|dislike|detest|loathe|can't stand|cannot stand|can't bear|cannot bear|can't abide|cannot abide|
  despise|don't like|do not like|don't enjoy|have always hated) (.+)$`

/** Reads likes, preferences and dislikes. */
export const tastes: Reader = (phrase, { who }) => {
  if (who === 'we') return []
  const liked = likes.exec(phrase)?.[1]
  if (liked !== undefined) {
    const [, more, than] = compared.exec(liked) ?? []
    return more === undefined ? tastesIn(liked).flatMap((taste) => is('likes', taste)) : is('prefers', tasteIn(`${more} to ${than ?? ''}`))
  }
  const preferred = prefers.exec(phrase)?.[1]
  if (preferred !== undefined) return is('prefers', tasteIn(preferred))
  const disliked = dislikes.exec(phrase)?.[1]
  return disliked === undefined ? [] : tastesIn(disliked.replaceAll(/,? or /gu, ' and ')).flatMap((taste) => is('dislikes', taste))
}

const has = /^(?:have got|have|own|((?:have )?(?:just |finally |recently |also )?(?:got|adopted|bought|rescued|took in))) (?!got )(.+)$/u
/** Things that people get and do not keep: `a flat` is a tyre. */
const notGot = /^an? (?:\p{Ll}+ )?(?:flat|migraine|migraines|child|kid|brother|sister|partner|apartment)$/u
const calling = /^(.+?) (?:called|named|whose name is) (\p{Lu}\p{Ll}+)$/u

/** Reads belongings: animals, kin, vehicles, instruments, chronic illnesses. */
export const belongings: Reader = (phrase) => {
  const gone = /^(?:have )?(?:just )?sold (?:my|our|the) (.+)$/u.exec(phrase)?.[1]
  if (gone !== undefined) return is('has', belongingIn(`a ${gone}`), { says: 'ends', tense: 'past' })
  // `a dog and a cat` are two; `salt and pepper` would be one.
  const [, got, text = ''] = has.exec(phrase) ?? []
  const items = text.split(/(?:,? and|,) (?=(?:an?|\d+|two|three|four|five) )/u)
  const found = items.filter((one) => got === undefined || !notGot.test(one)).flatMap(belonging)
  return got === undefined ? found : found.map((said) => ({ ...said, tense: 'past' }))
}

function belonging(text: string): Said[] {
  const allergy = /^an? (?:(?:severe|bad|mild) )?(?:([\p{Ll} -]{3,30}) allergy|allergy to ([\p{Ll} -]{3,30}))$/u.exec(text)
  if (allergy !== null) return is('allergic to', allergy[1] ?? allergy[2])
  const [, kind, name] = calling.exec(text) ?? []
  const found = is('has', belongingIn(kind ?? text))
  const role = animalOf(kind?.split(' ').at(-1) ?? '')
  return found.length === 0 || role === '' || name === undefined ? found : [...found, ...is(role, name)]
}

const allergic = /^am (?:(?:very|severely|badly|highly|terribly|mildly|deathly|also) )?allergic to (.+)$/u
const noAllergen = regex('iu')`^(?:(?:early )?mornings?|mondays?|work|working|meetings|people|bullshit|nonsense|stupidity|small talk|you|
  him|her|it|that|this|them|anything|nothing|everything|something|drama|bad .*|exercise|effort|boredom|bureaucracy|fun|deadlines|
  homework|housework|chores|cleaning|school|cooking|change|criticism|compliments|vegan|vegetarian|commitment|responsibility|the .*|my .*|
  your .*|being .*|sunlight|.*-free)$`
const diet = regex('u')`^(?:am|have been|became|have become|have gone|went|turned) (?:(?:a|strictly|mostly|fully) )?(vegetarian|vegan|
  pescatarian|pescetarian|flexitarian)$`
const religious = /^eat (?:only )?(halal|kosher|vegetarian|vegan)(?: food)?$/u

/** Reads allergies and diets. */
export const food: Reader = (phrase, { who }) => {
  const to = allergic.exec(phrase)?.[1]
  if (who === 'we') return []
  const isAllergen = (item: string): boolean => !noAllergen.test(item) && /^(?:\p{Ll}[\p{Ll} -]*|[\p{L} ]+ nuts)$/u.test(item)
  const allergens = itemsIn(to ?? '').filter((item) => item.split(' ').length <= 4 && isAllergen(item))
  if (to !== undefined) return allergens.flatMap((item) => is('allergic to', item))
  const eats = diet.exec(phrase)?.[1] ?? religious.exec(phrase)?.[1]
  return eats === undefined ? [] : is('diet', eats, /^(?:became|went|turned)/u.test(phrase) ? { tense: 'past' } : {})
}

const speaks = /^(?:can )?speak (.+)$/u

/** Reads the languages that somebody speaks. */
export const languages: Reader = (phrase, { who }) => {
  const text = who === 'we' ? undefined : speaks.exec(phrase)?.[1]
  return text === undefined ? [] : itemsIn(text).flatMap(language)
}

function language(item: string): Said[] {
  const [, some, name = ''] =
    /^((?:a (?:little|bit of)|some|basic|broken|fluent|good) )?(\p{Lu}\p{L}+)(?: fluently| well| at home| too)?$/u.exec(item) ?? []
  return isLanguage(name) ? is('speaks', name, some === undefined ? {} : { confidence: weak }) : []
}
