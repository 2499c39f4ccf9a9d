import { median } from './statistics.ts'
import { seeded } from './random.ts'
import { measuring } from './usage.ts'

const numbers = 200_000
const runs = 5

/**
 * CPU time of a fixed piece of work (making up and sorting numbers), in ms: how fast this machine is just now. Twice
 * as much elsewhere, twice the other figures.
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
