import { regex, wordTable } from '../../word-lists.ts'
import { belongingIn, tasteIn } from './objects.ts'
import { ends, everyPredicate, is, type Said, sure } from '../../facts/said.ts'
import { carIn } from './kinds/tools.ts'

const uses = /^(?:use|am using) (.+)$/u
const drives = /^(?:drive|am driving) (?:an? |the |my |our )?(\p{Lu}.*|car)$/u
const does = /^(drink|eat|play|do|practise|practice|take|smoke|wear|collect) (.+)$/u
const third = wordTable('drink: drinks, eat: eats, play: plays, take: takes, smoke: smokes, collect: collects')

/** Reads the things that somebody uses or drives, so that they can end. */
export function habits(phrase: string): Said[] {
  const used = uses.exec(phrase)?.[1]
  if (used !== undefined) return is('uses', thingIn(used))
  return is('drives', drives.exec(phrase)?.[1])
}

/** Reads pastimes, so that they can end as tastes: `I like pottery` and `I do not do pottery any more` are about one thing. */
export function pastimes(phrase: string): Said[] {
  const used = habits(phrase)
  if (used.length > 0) return used.map((said) => (said.predicate === 'uses' ? { ...said, predicate: everyPredicate } : said))
  const [, verb = '', done = ''] = does.exec(phrase) ?? []
  const what = verb === 'play' || verb.startsWith('practi') ? done.replace(/^the (?=\p{Ll}+$)/u, '') : done
  const object = what === '' || noPastime.test(what) ? undefined : tasteIn(what)
  const predicate = third[verb]
  return object === undefined ? [] : [...is('likes', object), ...(predicate === undefined ? [] : is(predicate, object))]
}

const noPastime = regex('iu')`^(?:trying|hoping|waiting|looking|searching|worrying|caring|counting|listening|talking|thinking|working|
  crying|laughing|bleeding|raining|reading (?:it|this|that)|hope|halfway|early|everything|my|our|your|the|that|this|it|on|up|in|at|to|by|
  for|a|an|sure|so|much|well|as|work|duty|sick|school|with|until|again|now|today|tomorrow)\b`

/** Returns a tool or a product: short, and by its name rather than a pronoun. */
export function thingIn(text: string): string | undefined {
  const bare = text.replace(/^(?:an?|the) /iu, '')
  if (bare.length > 40 || bare.split(' ').length > 4 || noPastime.test(bare)) return undefined
  const isPart = / (?:in|on|at|for|to|and|with|from|off|as)(?: |$)/u.test(bare)
  return !isPart && /^[\p{L}\p{N}][\p{L}\p{N}.+#' -]*$/u.test(bare) ? bare : undefined
}

const stopped = /^(?:have )?(?:just |finally |recently |now )?stopped (\p{L}+ing)(?: (.+))?$/u
const gaveUp = /^(?:have )?(?:just |finally |recently |now )?(?:given up|gave up|quit|kicked|packed in|sworn off|swore off)(?: on)? (.+)$/u
const off = /^am (?:now |finally |totally |completely )?(?:off|done with|through with|finished with|giving up) (.+)$/u
const bases = wordTable(`drinking: drink, eating: eat, playing: play, doing: do, practising: practise, practicing: practice, taking: take,
  smoking: smoke, using: use, driving: drive, collecting: collect, wearing: wear`)
const wholly = / (?:completely|altogether|entirely|for good)$/u

/** Reads things that somebody has given up for good, not until Easter and not today. */
export function givenUp(phrase: string, when: string | undefined, until: boolean): Said[] {
  if (until || / (?:until|till|for) /u.test(phrase) || (off.test(phrase) && when !== undefined && !/^(?:since|from)\b/iu.test(when)))
    return []
  const [, doing = '', what] = stopped.exec(phrase) ?? []
  if (what !== undefined && bases[doing] !== undefined) return ended(pastimes(`${bases[doing]} ${what.replace(wholly, '')}`))
  const object = doing === '' ? (gaveUp.exec(phrase)?.[1] ?? off.exec(phrase)?.[1]) : what === undefined ? doing : undefined
  if (object === undefined || noPastime.test(object)) return []
  const [, verb = '', rest = ''] = /^(\p{L}+ing) (.+)$/u.exec(object) ?? []
  const base = bases[verb]
  if (base !== undefined) return ended(pastimes(`${base} ${rest}`))
  const liked = is('likes', tasteIn(object.replace(wholly, '')))
  return ended([...liked, ...(/^\p{Lu}/u.test(object) ? is('uses', thingIn(object)) : [])])
}

export function ended(found: readonly Said[]): Said[] {
  return found.map((said) => ({ ...said, says: 'ends', tense: 'past', confidence: sure }))
}

const sold = regex('u')`^(?:have )?(?:just |finally |recently )?(?:(?:sold|given away|gave away|got rid of|gotten rid of|scrapped|
  traded in)|(crashed|wrote off|written off)) (?:my|our|the) (.+)$`

/** Reads things that were sold or given away. */
export function sales(phrase: string): Said[] {
  const [, crashed, what] = sold.exec(phrase) ?? []
  const gone = what?.replace(/ (?:to|for|on) .{1,40}$/u, '')
  if (gone === undefined) return []
  const car = carIn(gone)
  if (car !== undefined) return ended([...is('has', car), ...is('drives', car)])
  if (crashed !== undefined) return []
  if (/^\p{Lu}[\p{L}\p{N} -]{1,40}$/u.test(gone)) return ended([...is('has', gone), ...is('drives', gone)])
  if (gone !== 'car') return ended(is('has', belongingIn(`a ${gone}`)))
  return [...ends('has', 'car'), ...ends('drives', '')]
}

const dropped = regex('u')`^(?:have |am |are )?(?:just |finally |now )?(?:dropped|dropping|ditched|ditching|scrapped|scrapping|abandoned|
  abandoning|switched away from|moved away from|moved off|got rid of) (?:using )?(.+)$`
const notTo = /^(?:have )?(?:just |finally )?decided (?:not to|against) (?:use|using|go with|going with) (.+)$/u
const notWith = /^(?:am not|no longer) (?:going with|go with|going to use|using) (.+?)(?: any ?more| after all)?$/u

/** Reads choices that were dropped. */
export function dropping(phrase: string): Said[] {
  const what = notTo.exec(phrase)?.[1] ?? notWith.exec(phrase)?.[1] ?? dropped.exec(phrase)?.[1]
  return what === undefined ? [] : unchosen(what)
}

/** Ends every form in which a choice may have been stated. */
export function unchosen(what: string): Said[] {
  const thing = /^(?:the|an?|our|my) \p{Ll}/u.test(what) ? undefined : thingIn(what)
  return thing === undefined ? [] : ended([...is('decided to', `use ${thing}`), ...is('decided on', thing), ...is('uses', thing)])
}
