import { regex } from '../../word-lists.ts'

const contracted = regex('u')`^(\p{Lu}\p{L}[\p{L}-]{0,29})'s (?=(?:now |also |still |really |actually )?(?:allergic|vegan|vegetarian|
  pescatarian|teetotal|gluten-free|lactose|coeliac|from \p{Lu}|an? |not |no longer |moving |living |working |married |based |never ))`
const perfect = regex('u')`^(\p{Lu}\p{L}[\p{L}-]{0,29})'s (?=(?:just |now |recently )?(?:moved|relocated|got|been|become|gone|started|
  quit|left|stopped|given)(?: |$))`
const pronoun = /^(?:he|she|He|She)(?= |'s )/u
const about = /\b(?:wrong|mistaken|confused|mixed up) about (\p{Lu}[\p{L}-]{1,30})$/u

/** Returns a clause with its subject spelled out: `Carla is allergic` for `Carla's allergic`, `Jonas lives` for `he lives`. */
export function spelledOut(clause: string, spokenOf: string | undefined): string {
  const whole = spokenOf === undefined ? clause : clause.replace(pronoun, spokenOf)
  return whole.replace(contracted, '$1 is ').replace(perfect, '$1 has ')
}

/** Returns the person about whom a clause says that something was wrong: `I was wrong about Iver`. */
export function spokenOf(clause: string): string | undefined {
  return about.exec(clause)?.[1]
}
