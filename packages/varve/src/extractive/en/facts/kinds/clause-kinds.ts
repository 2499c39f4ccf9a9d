import type { Said, Setting } from '../../../facts/said.ts'
import { suggestion } from './choices.ts'
import { zoneIn } from './contact.ts'
import { daysOfThings, notedPlans } from './dates.ts'
import { allergyIn } from './health.ts'
import { pairIn } from './kin.ts'
import { storedThings } from './stored.ts'
import { majorIn } from './studies.ts'
import { ownCar, toolChange } from './tools.ts'
import { pronounsIn } from './traits.ts'

/** Reads the facts of a clause that no verb states of a person. */
export function clauseKinds(clause: string, { isAhead }: Pick<Setting, 'isAhead'>, when: string | undefined): Said[] {
  const readers = [zoneIn, pairIn, pronounsIn, ownCar, toolChange, suggestion, storedThings, majorIn, allergyIn]
  return [...readers.flatMap((read) => read(clause)), ...daysOfThings(clause, isAhead, when), ...notedPlans(clause, isAhead)]
}
