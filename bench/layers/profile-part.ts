import { type Worth, worthOfLines } from '../profile/measure.ts'
import { profileLines } from '../profile/portraits.ts'
import { mean } from '../shared/statistics.ts'
import { atLeast, type LayerPart } from './part.ts'

const maxWords = 150
const targets = { held: 0.1, matching: 0.8 } as const

/** The figures of `bench:profile` on the talks whose persons are known. */
export const profilePart: LayerPart = {
  layer: 'profile',
  figures: async ({ talks }) => {
    const persons: Worth[] = []
    for (const { user, gold } of talks)
      for (const [person, observations] of gold)
        persons.push(worthOfLines(person, await profileLines(user, person), observations, maxWords))
    const lines = persons.reduce((sum, one) => sum + one.lines, 0)
    const matching = persons.reduce((sum, one) => sum + one.matching, 0) / lines
    const held = mean(persons.map((one) => one.held / one.observations))
    return persons.length === 0
      ? []
      : [
          atLeast(`observations held in ${maxWords} words`, held, targets.held),
          atLeast('lines that match an observation', matching, targets.matching),
        ]
  },
}
