import { itemsIn } from '../objects.ts'
import { masked } from '../../../facts/reading.ts'
import { ends, is, type Reader, type Said, weak } from '../../../facts/said.ts'
import { isLanguage, isPeople, noNames } from '../words.ts'
import { carMakes, isTool, noTools, vehicles } from './tool-names.ts'
import { regex } from '../../../word-lists.ts'

const afterTool = regex('u')` (?:for|on|in|at|as|with|to|from|every|everywhere|instead|because|here|right|mostly|mainly|daily|again|now|
  all|both|via|by|since|when|if|over|locally|only|too|these|at|a lot|so)(?: .*)?$`
const named = /^(?:\p{Lu}|\p{Ll}\p{Lu})[\p{L}\p{N}.+#_-]{0,30}(?: (?:\p{Lu}[\p{L}\p{N}.+#_-]{0,30}|\d[\d.]{0,6})){0,3}$/u
const dotted = /^[\p{Ll}\p{N}]{2,20}[.-](?:js|ts|rs|py|io|dev)$/u

/** Returns the name of a tool, as it was said. Undefined for words that may be anything. */
export function toolIn(text: string): string | undefined {
  const cut = text.replace(afterTool, '').replace(/^(?:an? |both )/u, '')
  const words = cut.toLowerCase().split(' ')
  const [first = ''] = words
  if (cut.length > 50 || cut.includes(masked) || noTools.has(first)) return undefined
  if (isTool(cut) || (words.length === 1 && dotted.test(cut))) return cut
  const isNone = words.some((word) => noNames.has(word)) || isLanguage(first) || isPeople(first)
  return named.test(cut) && !isNone ? cut : undefined
}

const uses = /^(?:use|am (?:currently )?using|have been using|(?:have )?(?:just )?started using) (.+)$/u
const changed = regex('u')`^(?:have )?(?:just |finally |recently )?(?:(?:switched|moved|migrated|changed|
  went)(?: over)?(?: from (.{2,40}?))? to|(?:replaced|swapped|ditched|dropped) (.{2,40}?) (?:with|for|in favou?r of)|
  upgraded(?: from (.{2,40}?))? to) (.+)$`

/** Reads the tools that somebody uses. */
export const tools: Reader = (phrase) => {
  const change = changed.exec(phrase)
  if (change !== null) return changedTools(change[1] ?? change[2] ?? change[3], change[4] ?? '', phrase)
  const used = uses.exec(phrase)?.[1]
  if (used === undefined) return []
  const [, kept = used, , other = ''] = /^(.+?) (not|rather than|instead of) (.+)$/u.exec(used) ?? []
  const items = kept.split(/ (?:with|plus) /u).flatMap(itemsIn)
  const isSure = (item: string): boolean => phrase.startsWith('use') && isTool(item.replace(afterTool, ''))
  const found = items.flatMap((item) => is('uses', toolIn(item), isSure(item) ? {} : { confidence: weak }))
  return found.length === 0 || other === '' ? found : [...found, ...ends('uses', toolIn(other))]
}

function changedTools(from: string | undefined, to: string, phrase: string): Said[] {
  const tool = toolIn(to)
  // One of the two must be a known tool: `we moved from Cork to Sligo` is about towns.
  if (tool === undefined || !(isTool(tool) || (from !== undefined && isTool(from)))) return []
  const isLeft = / from |^(?:have )?(?:replaced|swapped|ditched|dropped)/u.test(phrase)
  return [...is('uses', tool, { tense: 'past' }), ...(isLeft && from !== undefined ? ends('uses', toolIn(from)) : [])]
}

/** Reads `we use pnpm, not npm`: ends the tool that is not used. */
export function notUsed({ predicate, says }: Said, clause: string): Said[] {
  const other = predicate === 'uses' && says === 'is' ? /^not (.{1,40}?)(?: any ?more)?[.!]*$/u.exec(clause)?.[1] : undefined
  return other === undefined ? [] : ends('uses', toolIn(other))
}

const withoutSubject = /^(?:we )?((?:just )?(?:switched|migrated|moved) from .{2,40} to .{2,40}|(?:just )?upgraded to .{2,40})$/iu

/** Notes leave out the subject: `switched from Jest to Vitest`. */
export function toolChange(clause: string): Said[] {
  const text = withoutSubject.exec(clause)?.[1]
  if (text === undefined) return []
  return tools(text.charAt(0).toLowerCase() + text.slice(1), { who: 'we', isAhead: false, lasts: false, isTechnical: true, until: false })
}

const drives = /^(?:drive|am driving) (?:an? |my )?(.+)$/u
const got = regex('u')`^(?:have )?(?:just |finally )?(?:bought|got|own|have|have got) (?:an? |my |our )?(?:(?:new|used|old|
  second[ -]hand|red|blue|black|white|green|grey|gray|silver) ){0,3}(.+)$`
const mine = /^(?:my|our) (?:new )?car(?:'s| is) (?:now )?an? (.+)$/iu
const older = /^(?:(?:new|used|old|second[ -]hand|red|blue|black|white|green|grey|gray|silver|battered|tiny|small|big) ){0,3}/u

/** Reads the car or the vehicle that somebody drives. */
export const driving: Reader = (phrase) => {
  const driven = drives.exec(phrase)?.[1]
  if (driven !== undefined) return is('drives', carIn(driven) ?? vehicleIn(driven))
  const bought = got.exec(phrase)?.[1]
  return bought === undefined ? [] : is('has', carIn(bought), /^(?:own|have (?:an?|my|our|got)\b)/u.test(phrase) ? {} : { tense: 'past' })
}

export function ownCar(clause: string): Said[] {
  return is('drives', carIn(mine.exec(clause)?.[1] ?? ''))
}

/** Returns a make, with its model where one word or two follow. */
export function carIn(text: string): string | undefined {
  const [make = '', ...rest] = text.replace(older, '').split(' ')
  if (!carMakes.has(make.toLowerCase()) || text.length > 60 || (rest.length === 0 && /^(?:mini|seat|smart|ford)$/u.test(make)))
    return undefined
  const model: string[] = []
  for (const word of rest.slice(0, 3)) {
    const isOnly = rest.length === 1 && /^\p{Ll}{3,12}$/u.test(word)
    if (!isOnly && !/^(?:\p{Lu}[\p{L}\p{N}-]*|\p{L}?\d[\p{L}\p{N}.-]*)$/u.test(word)) break
    model.push(word)
  }
  const next = rest[model.length]
  const isWhole = next === undefined || /^(?:for|from|to|because|with|since|which|that|in|on|and|at|now|these|as)$/u.test(next)
  return isWhole ? [make, ...model].join(' ') : undefined
}

function vehicleIn(text: string): string | undefined {
  const cut = text.replace(/ (?:for|to|from|because|with|since|which|that|in|on|at) .*$/u, '')
  const words = cut.split(' ')
  if (words.length > 3 || !vehicles.has(words.at(-1) ?? '')) return undefined
  return /^(?!(?:the|his|her|their|your|this|that|a) )[\p{L} -]+$/u.test(cut) ? cut : undefined
}
