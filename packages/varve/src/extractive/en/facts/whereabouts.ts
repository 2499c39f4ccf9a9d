import { dwellingIn, placeIn, sortOfWorkplaceIn, tradeIn, workplaceIn } from './objects.ts'
import { ends, is, type Reader, type Said, sure, weak } from '../../facts/said.ts'
import { firms } from './words.ts'
import { regex } from '../../word-lists.ts'

const lives = /^(?:live|am living|am based|am settled|have been living|have been based) in (.+)$/u
/** `I have lived in Oslo` alone is over. With `since` or `for` it still holds. */
const perfect = /^have (?:lived|worked) (?=in |at |for |as )/u
const moved = /^(?:have )?(?:just |recently |finally )?(?:moved|relocated) (?:from \S{1,40}(?: \S{1,40})? )?(?:back |over )?to (.+)$/u
const left = /^(?:have )?(?:just )?moved (?:out of|away from) (.+)$/u
const stays = /^am (?:staying|visiting|living) in (.+)$/u
const origin = /^(?:come|am|come originally|am originally|originally come) from (.+)$/u
const born = /^(?:was (?:born|raised|brought up)|was born and raised|grew up) in (.+)$/u

/** Reads where somebody lives and comes from. */
export const places: Reader = (said, { who, until, isTechnical, lasts }) => {
  const phrase = lasts ? said.replace(perfect, 'live ') : said
  const staying = until ? stays.exec(phrase)?.[1] : undefined
  if (staying !== undefined) return is('stays in', placeIn(staying))
  const living = lives.exec(phrase)?.[1]
  if (living !== undefined) return [...is('lives in', placeIn(living)), ...is('dwelling', dwellingIn(living), { single: true })]
  const moving = moved.exec(phrase)?.[1]
  if (moving !== undefined)
    return isTechnical ? [] : is('lives in', placeIn(moving), { tense: 'past', confidence: who === 'I' ? sure : weak })
  const leaving = left.exec(phrase)?.[1]
  if (leaving !== undefined) return is('lives in', placeIn(leaving), { says: 'ends', tense: 'past' })
  const from = born.exec(phrase)?.[1] ?? origin.exec(phrase)?.[1]
  if (from === undefined || who === 'we' || !/^\p{Lu}/u.test(from)) return []
  return is('comes from', placeIn(from), { confidence: phrase.startsWith('am from') ? weak : sure })
}

const works = /^(?:work|am working|am employed|have been working) (?:at|for|by) (.+)$/u
const started = regex('u')`^(?:have )?(?:just |recently )?(?:(?:started|began)(?: working| work| (?:a|my) (?:new )?job)? (?:at|for|with)|
  (?:got|found|took|accepted|landed) (?:a|the|my) (?:new )?job (?:at|with)) (.+)$`
const trade = /^(?:work|am working|have been working|(?:have )?(?:just )?started)(?: (?:full-time|part-time))? as (?:an?|the) (.+)$/u
/** Words after `work as` that are no trade. */
const noTrade = regex('u')`^(?:good |great |close )?(?:team|example|one|group|whole|unit|proxy|intermediary|bridge|charm|dream|
  substitute|fallback|replacement|reminder|start|backup|couple|pair|duo)\b`
const isTrade = /^am (an? (?!(?:[\p{L}-]{2,20} ){0,2}student (?:at|of) ).+)$/u
const quit =
  /^(?:have )?(?:just |finally )?(?:quit|left|lost|resigned from) (?:my|her|his|their|the) (?:old |day )?job(?: (?:at|with) (.+))?$/u
const resigned = /^(?:have )?(?:just )?(?:resigned from|retired from|was laid off (?:by|from)|was fired (?:by|from)) (.+)$/u
const leftFirm = /^(?:have )?(?:left|quit) (.+)$/u

/** Reads somebody's trade and workplace. */
export const work: Reader = (said, { who, lasts }) => {
  const phrase = lasts ? said.replace(perfect, 'work ') : said
  if (who === 'we') return []
  const at = works.exec(phrase)?.[1]
  if (at !== undefined) {
    const [, firm = at, role] = /^(.+?) as (an? .+)$/u.exec(at) ?? []
    return [...workplace(firm), ...(role === undefined ? [] : trades(role, tradeIn))]
  }
  const begun = started.exec(phrase)?.[1]
  if (begun !== undefined) return workplace(begun, { tense: 'past' })
  const job = quit.exec(phrase)
  if (job !== null) return ends('works at', job[1] === undefined ? '' : workplaceIn(job[1]))
  const gone = resigned.exec(phrase)?.[1]
  if (gone !== undefined) return ends('works at', workplaceIn(gone))
  const firm = leftFirm.exec(phrase)?.[1]
  if (firm !== undefined) return firms.has(firm.split(' ').at(-1)?.toLowerCase() ?? '') ? ends('works at', workplaceIn(firm)) : []
  const worksAs = trade.exec(phrase.replace(/^((?:am |have been )?work(?:ing)?) in .{2,40}? (?=as an? )/u, '$1 '))?.[1]
  if (worksAs !== undefined)
    return trades(worksAs, (text) => (/^\p{L}[\p{L}' -]{1,40}$/u.test(text) && !noTrade.test(text) ? text : undefined))
  const being = isTrade.exec(phrase)?.[1]
  return being === undefined ? [] : trades(being, tradeIn)
}

const called = /^(?:an?|the) [\p{L} -]{3,40} (?:called|named) (\p{Lu}.*)$/u

/** Returns the facts of a workplace: a firm by its name, or a kind of place, which replaces no firm. */
function workplace(text: string, more: Partial<Said> = {}): Said[] {
  const firm = workplaceIn(called.exec(text)?.[1] ?? text)
  return firm === undefined ? is('workplace', sortOfWorkplaceIn(text), more) : is('works at', firm, more)
}

function trades(text: string, read: (text: string) => string | undefined): Said[] {
  const [, what = text, , where = ''] = /^(.+?) (at|for|in|with|from|on|by|near) (.+)$/u.exec(text) ?? []
  const found = is('works as', read(what))
  return found.length === 0 || !/ (?:at|for) /u.test(text) ? found : [...found, ...workplace(where)]
}
