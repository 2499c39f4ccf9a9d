import { is, type Said, weak } from './said.ts'

const kept = '(?:keys?|passports?|charger|receipts|certificates|papers|medicine|tablets|inhaler|first-aid (?:kit|box)|toolbox|torch|fuse box|stopcock|ladder|spare tyre|remote)'
const where = '((?:in|under|behind|at|on|above|below|inside|beside|next to|over) (?!the (?:mail|post|heart|way|cards|works|air|details?|end|bottom|blink|fritz|house|list|agenda|menu|internet|web|cloud|table)\\b)(?:(?:the|my|our|an?) |\\p{Lu}).{2,60})'
const isKept = new RegExp(`^([Tt]he |[Mm]y |[Oo]ur )?((?:[\\p{Ll}-]+ ){0,2}${kept}) (is|are|hangs?|lies?|lives?|stays?|(?:is|are) (?:kept|hidden|stored)) (?:now |still |always )?${where}$`, 'u')
/** In notes one leaves out the verb: `spare key under the pot`. */
const noted = new RegExp(`^(?:[Tt]he )?([Ss]pare (?:[\\p{Ll}-]+ )?keys?) ${where}$`, 'u')

const number = '(?:\\d[\\d.,]{0,9}|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred)(?: hundred| thousand)?)'
const price = `((?:about )?(?:[€$£] ?\\d[\\d.,]{0,9}|${number} ?(?:euros?|dollars?|pounds?|francs?|crowns?|kroner|cents?|€|\\$|£))(?: (?:a|per|each) ?(?:day|week|month|year|person|kilo|night|piece|hour)?)?)`
const costs = new RegExp(`^(?:(?:the|an?|our) )?(\\p{Ll}[\\p{L} -]{2,40}?) (?:now )?costs? (?:us )?${price}$`, 'iu')
const isPriced = new RegExp(`^(?:the|our) ((?:[\\p{Ll}-]+ ){0,2}(?:rent|deposit|fee|fare|ticket|membership|price|subscription)) is (?:now )?${price}$`, 'iu')
const noThing = /^(?:it|that|this|they|these|those|he|she|which|what|one|each|everything|nothing|all|not .*|only .*|usually .*)$/iu

/** Where a thing is that one has to find, what something costs. */
export function things(clause: string): Said[] {
  const [, whose = '', thing = '', verb = '', at] = isKept.exec(clause) ?? []
  // `The key is in the timing`: a key that only `is` is one with a name.
  if (at !== undefined && (!/^keys?$/iu.test(thing) || !/^(?:is|are)$/u.test(verb))) return whose.trim().toLowerCase() === 'my' ? is(`keeps ${thing}`, at, { single: true }) : is('is kept', at, { subject: thing, single: true })
  const [, noun, there] = noted.exec(clause) ?? []
  if (noun !== undefined) return is('is kept', there, { subject: noun.toLowerCase(), single: true, confidence: weak })
  const [, ware = '', amount] = costs.exec(clause) ?? isPriced.exec(clause) ?? []
  return amount === undefined || noThing.test(ware) || ware.split(' ').length > 4 ? [] : is('costs', amount, { subject: ware.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase()), single: true })
}
