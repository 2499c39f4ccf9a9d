import { stem } from './stem.ts'

/**
 * Words whose forms share no stem, by language (ISO 639-1), with the forms of a word side by side.
 *
 * Words that are stop words in every form are left out (be, do, have). So are forms that are more often another word
 * (ground, wound, bore, rose, lives, leaves).
 */
const irregular: Readonly<Record<string, string>> = {
  en: `arise arose arisen, awake awoke awoken, beat beaten, become became, begin began begun, bend bent, bite bit bitten, bleed
bled, blow blew blown,
    break broke broken, breed bred, bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen, cling
clung, come came,
    creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven, eat ate eaten, fall fell
fallen, feed fed,
    feel felt, fight fought, find found, flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten, forgive
forgave forgiven,
    freeze froze frozen, get got gotten, give gave given, go went gone, grow grew grown, hang hung, hear heard, hide hid hidden,
hold held, keep kept,
    kneel knelt, know knew known, lay laid, lead led, lean leant, leap leapt, learn learnt, leave left, lend lent, light lit, lose
lost, make made,
    mean meant, meet met, mistake mistook mistaken, overcome overcame, pay paid, prove proven, rebuild rebuilt, repay repaid, retake
retook retaken,
    rewrite rewrote rewritten, ride rode ridden, ring rang rung, rise risen, run ran, say said, see saw seen, seek sought, sell
sold, send sent, sew sewn,
    shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep
slept, slide slid,
    sneak snuck, speak spoke spoken, spell spelt, spend spent, spin spun, stand stood, steal stole stolen, stick stuck, sting stung,
stink stank stunk,
    strike struck stricken, strive strove striven, swear swore sworn, sweep swept, swim swam swum, swing swung, take took taken,
teach taught,
    tear tore torn, tell told, think thought, throw threw thrown, undergo underwent undergone, understand understood, wake woke
woken, wear wore worn,
    weave wove woven, weep wept, win won, withdraw withdrew withdrawn, write wrote written, calf calves, child children, foot feet,
goose geese,
    half halves, knife knives, loaf loaves, man men, mouse mice, ox oxen, person people, scarf scarves, shelf shelves, thief
thieves, tooth teeth,
    wife wives, wolf wolves, woman women`,
}

/** A word and the stems of its forms; undefined before they are needed. */
interface Family {
  readonly forms: readonly string[]
  stems: readonly string[] | undefined
}

/** By language, then by the first letters of a form: a stem begins as its word does. */
const families = new Map<string, ReadonlyMap<string, readonly Family[]>>()
const firstLetters = 2

/**
 * Returns the stems of a word's other forms ("bought" for "buy", "buy" for "bought"), given its stem and a language. It makes the
 * stems of words that begin alike, since those of all took a new process 9 ms.
 */
export function irregularForms(stemmed: string, language: string): readonly string[] {
  let known = families.get(language)
  if (known === undefined) {
    known = familiesIn(irregular[language] ?? '')
    families.set(language, known)
  }
  // The last letter of a stem may be another one than the word's: "fli" for "fly".
  const beginning = stemmed.slice(0, -1)
  const near = known.get(stemmed.slice(0, firstLetters))?.filter(({ forms }) => forms.some((form) => form.startsWith(beginning))) ?? []
  return near.map((family) => stemsOf(family, language)).findLast((stems) => stems.includes(stemmed)) ?? []
}

function familiesIn(words: string): Map<string, readonly Family[]> {
  const byLetters = new Map<string, Family[]>()
  for (const family of words.split(',')) {
    const forms = family.trim().split(/\s+/)
    const made = { forms, stems: undefined }
    for (const letters of new Set(forms.map((form) => form.slice(0, firstLetters))))
      byLetters.set(letters, [...(byLetters.get(letters) ?? []), made])
  }
  return byLetters
}

function stemsOf(family: Family, language: string): readonly string[] {
  family.stems ??= family.forms.map((text) => stem({ script: 'latin', text }, language))
  return family.stems
}
