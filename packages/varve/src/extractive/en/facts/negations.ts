import { lasting, withNamed } from './endings.ts'
import { habits } from './habits.ts'
import { planned } from './plans.ts'
import { ends, type Said, type Setting } from '../../facts/said.ts'
import { regex } from '../../word-lists.ts'

/** The words around a negation. */
export interface Bound {
  /** The time, as it was said. */
  readonly when: string | undefined
  /** The rest of the sentence: the joint and the text of the next clause. */
  readonly joint: string
  readonly next: string
}

const denied = regex('u')`^(?:(?:don't|do not) (?:actually |even |in fact )?(?<does>.+)|(?:am (?:actually |in fact )?not|aren't|
  ain't) (?:actually |even |in fact )?(?<am>.+)|(?:will not|won't) (?<will>.+)|(?:haven't|have not) (?<have>.+)|
  have no (?:more )?(?<none>.+))$`
/** A negation of degree, place or reason, which does not deny the fact. */
const byDegree = regex('u')`^(?:am (?:very|severely|badly|highly|terribly|mildly|deathly|strictly|mostly|fully|a strictly)|
  speak (?:a (?:little|bit)|some|basic|broken|fluent|good|much)|have (?:a (?:severe|bad|mild)|only)|(?:like|enjoy) )| on \p{L}+days\b`
const byReason = /\b(?:because|if|unless|when|whenever|while|where|until|as|so that)$/u
const ongoing = /^(?:since|from|as of|starting)\b/iu
const byMeans = /^am (?:flying|driving|sailing|cycling|taking)\b/u
const means = /\b(?:taking|going|driving|flying|cycling|sailing|take|drive|fly|by (?:train|car|bus|boat|ferry|plane))\b/u

/** Reads plain negations, such as `I don't live in Oslo`, as ends: an earlier statement no longer holds. */
export function negations(phrase: string, setting: Setting, { when, joint, next }: Bound): Said[] {
  const held = claimed(phrase)
  if (held === undefined || byDegree.test(held) || byReason.test(joint) || setting.until) return []
  if (when === undefined || ongoing.test(when)) {
    const found = [...lasting(held, setting), ...habits(held)].filter((said) => said.says === 'is' && said.tense !== 'past')
    if (found.length > 0)
      return isWhole(held, found) ? found.flatMap(withNamed).map((said) => ({ ...said, says: 'ends', tense: 'present' })) : []
  }
  const plan = setting.who === 'other' || (byMeans.test(held) && means.test(next)) ? undefined : planned(held)
  const isPlan = /appointment|^have /u.test(plan ?? '') || isWhole(held, [{ object: plan ?? '' }])
  return isPlan ? ends('plans to', plan, 'present') : []
}

/** Returns the statement that a negation denies. */
function claimed(phrase: string): string | undefined {
  const groups = denied.exec(phrase)?.groups
  if (groups === undefined) return undefined
  const { does, none } = groups
  const verb = ['am', 'will', 'have'].find((name) => groups[name] !== undefined)
  const plain = does ?? (verb === undefined ? undefined : `${verb} ${groups[verb] ?? ''}`)
  const held = plain ?? (none === undefined ? '' : `have ${/s$|^(?:children)$/u.test(none) ? none : `a ${none}`}`)
  const bare = held.replace(/ (?:at all|any ?more|any longer|after all)$/u, '')
  return bare.replace(/^(have|speak) any /u, '$1 ').replaceAll(' or ', ' and ')
}

/** Tells whether the object reaches the end of the statement: `I don't live in Oslo for fun` says that I do. */
function isWhole(held: string, found: readonly Pick<Said, 'object'>[]): boolean {
  const last = /[\p{L}\p{N}'-]+$/u.exec(held.toLowerCase())?.[0] ?? ''
  return found.some(({ object }) => object.toLowerCase().endsWith(last))
}
