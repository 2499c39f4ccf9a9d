import { wordSet, wordTable } from '../word-lists.ts'

/** Verb forms that are the same for every person. */
const unchanged = wordSet(`will would can could should may might must shall cannot can't won't wouldn't couldn't shouldn't didn't wasn't
  hadn't was had did used went saw got made took came gave found told felt left thought brought bought kept began ran wrote knew met paid
  spoke stood understood lost held led grew drew flew chose broke drove rode spent sent built taught caught fought won wore slept sat sang
  swam became forgot heard said fell ate drank sold woke threw rose shook stuck swore tore dealt dreamt learnt lent meant sought hid bit
  hung`)

/**
 * Verbs that are likely in the present tense in sentences about oneself. Verbs whose past looks the same (read, put, set, let,
 * cut) are absent, because the tense cannot be told.
 */
const present = wordSet(`love like want need think know hope plan work live play feel believe enjoy prefer use make take get go see come
  keep find give try hate wish look guess understand agree appreciate remember expect start run write teach study paint travel own miss
  support care help dream mean say tell ask call talk listen learn watch cook eat drink drive sleep walk swim dance sing draw build buy
  sell spend save visit meet spend volunteer collect wonder suggest recommend suppose intend consider worry trust admire value treasure
  cherish practice train bake garden hike camp relax speak own mind doubt bet deserve manage handle stay leave move begin become follow
  choose wear bring seem struggle focus rent owe pay lead sit stand hold hear count sail ride climb fix repair order ship test deploy
  maintain prepare organize join attend invest earn commute`)

/** Adverbs that may stand between `I` and its verb. */
export const adverbs = wordSet(`also just really always never still even actually usually often sometimes finally recently already only
  totally definitely probably mostly currently absolutely truly especially honestly sure certainly simply mainly once rarely hardly ever
  now then soon fully deeply later first quickly strongly personally generally normally regularly`)

const irregular = wordTable("am: is, have: has, do: does, don't: doesn't, haven't: hasn't, go: goes, ain't: ")

/** Words that end like a past form and are none. */
const presentInEd = wordSet('need feed speed bleed proceed succeed exceed embed shed wed breed heed seed weed')

/** Returns the form of a verb after `Ada`, given its form after `I`. Undefined where it cannot be told. */
export function agreeing(verb: string): string | undefined {
  const known = irregular[verb]
  if (known !== undefined) return known === '' ? undefined : known
  if (unchanged.has(verb)) return verb
  if (present.has(verb)) return withS(verb)
  if (presentInEd.has(verb)) return withS(verb)
  return /^[a-z]{2,}ed$/u.test(verb) ? verb : undefined
}

/** Tells whether a word is a verb whose form would have to change. */
export function isPresent(word: string): boolean {
  return present.has(word) || word === 'am' || word === 'have' || word === "don't" || word === "haven't"
}

function withS(verb: string): string {
  if (/(?:s|x|z|ch|sh|o)$/u.test(verb)) return `${verb}es`
  return /[^aeiou]y$/u.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`
}
