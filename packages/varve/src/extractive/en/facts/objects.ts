import { animalOf } from './kinds/animals.ts'
import { isTool } from './kinds/tool-names.ts'
import { masked } from '../../facts/reading.ts'
import { belongingNouns, isLanguage, isPeople, noNames, software, trades, workplaces } from './words.ts'
import { regex, wordSet, wordTable } from '../../word-lists.ts'

/** Illnesses that take no article. */
const conditions = wordSet('diabetes asthma epilepsy adhd autism dyslexia arthritis migraines hayfever')
/** Words of the names of offices: `team lead`, `vice president`. */
const titles = wordSet(`team lead leader head vice president product project manager senior junior chief director officer staff
  principal associate intern assistant member owner founder co-founder`)
/** Words of the names of teams in a firm. */
const teams = wordSet(`marketing sales engineering legal finance hr support accounting operations research design purchasing
  logistics team option plan version`)
const irregularPlurals = wordTable(`children: child, grandchildren: grandchild, wives: wife, puppies: puppy, ponies: pony, sheep: sheep,
  fishes: fish, canoes: canoe`)
/** Words before a trade that take it back: `bad`, `former`, `aspiring`. */
const noTrade = regex('iu')`\b(?:bad|good|terrible|great|lousy|slow|fast|better|best|worse|worst|poor|excellent|decent|retired|former|ex|
  aspiring|wannabe|would-be|born|natural|frustrated|amateur|hobby|keen|huge|big|awful|horrible|mediocre|careful|cautious|nervous|patient|
  reluctant|secret|failed|future|not|real|night|morning|sound|light|heavy|deep|better|late|professional|happy|sad|tired|proud|lazy)\b`
const dwellings = wordSet(`flat house cabin houseboat apartment cottage farmhouse studio lighthouse bungalow farm caravan flatshare
  penthouse loft townhouse dorm`)

const name = regex('u')`^(?:(?:Frau|Herr|Mr|Mrs|Ms|Dr|Prof|Captain)\.? )?\p{Lu}[\p{L}'-]*(?: (?:(?:von|van|de|der|den|di|da|la|le|af|
  zu) ){0,2}\p{Lu}[\p{L}'-]*){0,3}$`
const small = '(?:of|the|for|and|&|de|del|la|le|les|am|an|der|den|da|do|dos|di|upon|on|sur|und|zu)'
const proper = regex('u')`^(?:the )?\p{Lu}[\p{L}\p{N}'.&-]*(?: (?:(?:${small} ){0,2}\p{Lu}[\p{L}\p{N}'.&-]*|\p{N}{1,4})){0,5}$`
const article = /^(?:an?|the) /iu
const placeEnd = regex('u')` (?:with|near|because|to be|for|from|on the|by the|next to|outside|not far|at the|just|alone|along|together|
  as|after|before|until|since|during|like|and (?=\p{Ll})|permanently|full-time|part-time|in (?=the|a)|where|or so) ?.*$`
const thingEnd = / (?:called|named|who|that|which|whose|with|from|at home|in (?=\p{Lu})) ?.*$/u

/** Returns the text, if it is the name of a person. */
export function personIn(text: string): string | undefined {
  const words = text.toLowerCase().split(' ')
  const [first = ''] = words
  if (text.length > 60 || !name.test(text) || isPeople(first) || software.has(first)) return undefined
  return words.some((word) => noNames.has(word) || titles.has(word) || trades.has(word)) ? undefined : text
}

/** Returns the name of a country or a town, without the words after it. */
export function placeIn(text: string): string | undefined {
  const cut = text.replace(placeEnd, '').trim()
  if (cut.length > 60 || /\d/u.test(cut) || cut.includes(masked)) return undefined
  const words = cut.toLowerCase().split(' ')
  if (!proper.test(cut) || noNames.has(words.at(-1) ?? '') || / and |\p{Ll}\p{Lu}/u.test(cut)) return undefined
  const isNone = words.some((word) => software.has(word) || isTool(word) || teams.has(word) || isLanguage(word))
  return isNone ? undefined : cut.replace(article, (the) => (the === 'The ' ? the : ''))
}

/** Returns a dwelling: `a small flat`. */
export function dwellingIn(text: string): string | undefined {
  const cut = text.replace(placeEnd, '').trim()
  const words = cut.split(' ')
  return /^an? [\p{Ll} -]+$/u.test(cut) && dwellings.has(words.at(-1) ?? '') && words.length <= 4 ? cut.replace(article, '') : undefined
}

function withoutPlace(text: string): string {
  const cut = text.replace(placeEnd, '')
  return cut.replace(/ in \p{Lu}.*$/u, '').trim()
}

/** Returns a workplace: a name, or `the city library`. */
export function workplaceIn(text: string): string | undefined {
  const cut = withoutPlace(text)
  if (cut.length > 60 || cut.includes(masked)) return undefined
  if (proper.test(cut)) return noNames.has(cut.toLowerCase()) ? undefined : cut.replace(/^the /u, '')
  return cut.startsWith('the ') ? sortIn(cut) : undefined
}

/** Returns a kind of workplace: `a bank`. */
export function sortOfWorkplaceIn(text: string): string | undefined {
  const cut = withoutPlace(text)
  return /^an? /u.test(cut) && !cut.includes(masked) ? sortIn(cut) : undefined
}

function sortIn(text: string): string | undefined {
  return workplaces.has(text.split(' ').at(-1) ?? '') && text.split(' ').length <= 5 ? text.replace(article, '') : undefined
}

/** Returns a trade, without its article. */
export function tradeIn(text: string): string | undefined {
  const cut = text.replace(article, '')
  return cut.split(' ').length <= 4 && !noTrade.test(cut) && trades.has(cut.split(' ').at(-1)?.toLowerCase() ?? '') ? cut : undefined
}

/** Halves of pairs that are one thing: `fish and chips`. */
const pairs = regex('iu')`^(?:fish and chips|salt and (?:pepper|vinegar)|gin and tonic|rock and roll|drum and bass|mac and cheese|
  arts? and crafts?|bread and butter|peanut butter and jelly|bed and breakfast|rhythm and blues|country and western|black and white|
  science and technology|odds and ends|peace and quiet|sun and sea|sweet and sour|cheese and onion|ham and eggs|bacon and eggs|
  biscuits and gravy|cookies and cream|track and field|dungeons and dragons|cut and dried|trial and error|pros and cons|pen and paper|
  surf and turf|dim sum|hide and seek|stars and stripes)\b`
const gerund = /^[\p{L}-]{2,}ing$/u

/**
 * Returns the things in a statement of taste. It is split where it surely names several: `jazz and blues`, but not `old
 * and rare books`.
 */
export function tastesIn(text: string): string[] {
  const bare = text.replace(/^both /u, '')
  const items = itemsIn(bare)
  const isOne = pairs.test(bare) || / (?:with|of|to|for|in|on|at|from|over|between|my|when) |^to /u.test(bare)
  const isPart = items.some((item) => /^(?:to|so|then|all|the|my|your|how|what|just|only|that)\b/u.test(item))
  const isList = items.length > 1 && !isOne && !isPart
  const areWords = items.every((item) => !item.includes(' ')) && !items.every((item) => /^\p{Lu}/u.test(item))
  const areTwo = areWords || items.every((item) => gerund.test(item.split(' ')[0] ?? ''))
  const isPlain = items.length > 2 ? items.every((item) => item.split(' ').length <= 3) : areTwo
  const tastes = (isList && isPlain ? items : [text]).map(tasteIn)
  return tastes.every((taste) => taste !== undefined) ? tastes : []
}

const noBelonging = regex('iu')`^(?:my|your|his|her|their|this|that|these|those|no|nothing|nobody|none|little|had|been|some|any|enough|
  more|another|other|such|the)\b|(?:^| )(?:to|the|of|on|at|for) |^\p{L}+ed `

/** Returns a belonging: a thing or a being of a kind that people keep for long. */
export function belongingIn(text: string): string | undefined {
  const cut = text.replace(thingEnd, '')
  if (noBelonging.test(cut) || cut.split(' ').length > 5 || cut.includes(masked)) return undefined
  const last = cut.split(' ').at(-1)?.toLowerCase() ?? ''
  const singular = irregularPlurals[last] ?? (belongingNouns.has(last) ? last : last.replace(/s$/u, ''))
  // `I have fish` is a meal, `I have a fish` is not.
  const isCounted = /^(?:an? |\d)|\p{L} /iu.test(cut) || singular !== last || conditions.has(last)
  return isCounted && (belongingNouns.has(singular) || animalOf(singular) !== singular) ? cut.replace(article, '') : undefined
}

const noLiking = regex('iu')`^(?:you|him|her|it|its|this|that|these|those|them|us|me|what|how|when|where|why|who|if|your|his|their|my|
  our|to (?:think|say|know|keep|bother|see you|break|ask|admit|be (?:called|honest))|both|all|none|some|any|each|one|another|everything|
  nothing|something|either|neither|option|version|number|plan|variant|choice|so|the|being on hold|a (?:lot|bit)|myself|mine|more|most|
  less|better|not|and|or|as|for|than|seeing|hearing|the way|up|still|here|to (?:complain|nag|interrupt|disturb|be that))(?:\b|$)`
const lovedWithArticle = regex('iu')`^the (?:sea|mountains|outdoors|ocean|theatre|theater|opera|countryside|forest|cold|heat|rain|snow|
  night|winter|summer|smell of .{3,30}|sound of .{3,30})$`
/** Words about the present talk, and comparisons without their other half. */
const aboutTheTalk =
  /\b(?:ideas?|plans?|suggestions?|approach|draft|solution|proposal|wording|title|better|more|most|best)$|'s (?:name|design|version)$/iu
const wanting = /(?:^| )(?:to|in particular|too much|so much)$| well enough(?: |$)/iu
const thingsEnd = / (?:in general|at all|more than (?:anything|words).*|as long as .*|even (?:if|though|when) .*|too)$/iu

/** `jazz now a little` */
const grown = /(?: now)? (?:a little|a bit|a lot)$| now (?:a little|a bit|more|again|too)$/u

const unclear = / or |\b(?:some|one|ones|myself|itself|you|your|it|this|that|I|me|them|they|him|her|those|these)\b/u

/** Returns an object of taste: neither a pronoun nor something that only this talk can tell. */
export function tasteIn(text: string): string | undefined {
  const whole = text.replace(/^also /u, '').replace(thingsEnd, '')
  const cut = whole.replace(grown, '')
  if (cut.length > 70 || cut.split(' ').length > 8 || cut.includes(masked)) return undefined
  if (wanting.test(cut) || aboutTheTalk.test(cut) || unclear.test(cut)) return undefined
  if (lovedWithArticle.test(cut)) return cut
  return noLiking.test(cut) ? undefined : cut.replace(/^(?:an?) /iu, '')
}

/** Returns the items of a list: `nuts, sesame and celery`. */
export function itemsIn(text: string): string[] {
  const items = text.split(/, and | and |, /u).map((item) => item.trim())
  return items.filter((item) => item !== '')
}

/** Returns a deed as an object: a verb with the words after it. It is short and names something. */
export function deedIn(text: string): string | undefined {
  if (text.length > 90 || text.split(' ').length > 12 || text.includes(masked)) return undefined
  if (/\b(?:you|your|it|this|that|them|him|her|me|us|something|stuff|so|not)\b/iu.test(text)) return undefined
  return text.replace(/ (?:for|on|in|at|to|by)$/u, '')
}
