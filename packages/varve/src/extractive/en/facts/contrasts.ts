import type { Clause } from './passages.ts'
import { regex } from '../../word-lists.ts'

const denied = regex('u')`^((?:[Aa]ctually,? )?[Mm]y (?:(?:absolute |all-time )?favou?rite \p{Ll}[\p{Ll} -]{1,28}|
  birthday))(?:'s not| is not| isn't|'s) (?:actually |really )?(on )?([\p{L}\p{N}' -]{2,40})$`
const affirmed = /^(?:(?:no|but|rather),? )?(?:it's|it is|that's|they're) (?:now |actually |really )?(?:on )?([\p{L}\p{N}' -]{2,40})$/iu
const bare = /^(?:rather |on )?([\p{L}\p{N}' -]{2,40})$/iu

const judged = regex('iu')`^(?:an?|so|very|too|just|more|less|good|bad|great|fine|ok|okay|nice|boring|best|worse|worst|better|cool|awful|
  terrible|amazing|hard|easy|complicated|over|gone|dead)\b`

/** Reads `My favourite colour isn't blue, it's teal` as `my favourite colour is teal, not blue`. */
export function contrasted(clauses: readonly Clause[]): Clause[] {
  const found: Clause[] = []
  for (const [place, clause] of clauses.entries()) {
    const [, whose = '', on = '', wrong = ''] = denied.exec(clause.text) ?? []
    const next = clauses[place + 1]
    const form = next?.joint.endsWith('but') === true ? bare : affirmed
    const right = wrong === '' ? undefined : form.exec(next?.text.replace(/[.!…]+$/u, '') ?? '')?.[1]
    if (right === undefined || next === undefined || judged.test(right)) found.push(clause)
    else found.push({ ...clause, text: `${whose} is ${on}${right}`, to: next.to }, { ...next, text: `not ${wrong}`, joint: ',' })
  }
  return found
}

const brief = regex('iu')`^(?:not (?:for (?:much |very )?long(?:er)?|forever|permanently)|(?:at least |only |just )?for now|
  (?:only )?temporarily|for the time being)\b`

/** Tells whether a clause limits the statement before it to a short time. */
export function isBrief(clause: string): boolean {
  return brief.test(clause)
}
