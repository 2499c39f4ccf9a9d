import { is, type Said } from '../../facts/said.ts'
import { regex, source } from '../../word-lists.ts'

const number = source`(?:\d[\d.,]{0,9}|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|
  fifty|hundred)(?: hundred| thousand)?)`
const price = source`((?:about )?(?:[€$£] ?\d[\d.,]{0,9}|${number} ?(?:euros?|dollars?|pounds?|francs?|crowns?|kroner|cents?|€|\$|
  £))(?: (?:a|per|each) ?(?:day|week|month|year|person|kilo|night|piece|hour)?)?)`
const costs = new RegExp(`^(?:(?:the|an?|our) )?(\\p{Ll}[\\p{L} -]{2,40}?) (?:now )?costs? (?:us )?${price}$`, 'iu')
const isPriced = regex('iu')`^(?:the|our) ((?:[\p{Ll}-]+ ){0,2}(?:rent|deposit|fee|fare|ticket|membership|price|
  subscription)) is (?:now )?${price}$`
const noThing = /^(?:it|that|this|they|these|those|he|she|which|what|one|each|everything|nothing|all|not .*|only .*|usually .*)$/iu

/** Reads prices. */
export function prices(clause: string): Said[] {
  const [, ware = '', amount] = costs.exec(clause) ?? isPriced.exec(clause) ?? []
  if (noThing.test(ware) || ware.split(' ').length > 4) return []
  return is('costs', amount, { subject: ware.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase()), single: true })
}
