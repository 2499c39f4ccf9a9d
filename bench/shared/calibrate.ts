import { median } from './statistics.ts'
import { seeded } from './random.ts'
import { measuring } from './usage.ts'

const numbers = 200_000
const runs = 5

/**
 * Returns the CPU time of a fixed piece of work (making and sorting numbers), in ms: the machine's present speed. Where
 * it is twice as much, the other figures are too.
 */
export function calibrate(): number {
  const taken = Array.from({ length: runs }, () => {
    const cost = measuring()
    const random = seeded(1)
    Array.from({ length: numbers }, random).sort((a, b) => a - b)
    return cost().cpuMs
  })
  return median(taken)
}
