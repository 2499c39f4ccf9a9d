import { type Cost, measuring } from '../shared/usage.ts'
import type { Timed } from './tasks.ts'

const warmUp = 50

/** Makes calls one after the other, the first ones unmeasured; `size` tells how much an answer holds. */
export async function timed<Answer>(
  what: string,
  calls: number,
  call: (place: number) => Promise<Answer>,
  size: (answer: Answer) => number = lengthOf,
  warm = warmUp,
): Promise<Timed> {
  const costs: Cost[] = []
  let answered = 0
  for (let place = 0; place < warm + calls; place += 1) {
    const cost = measuring()
    const answer = await call(place)
    if (place < warm) continue
    costs.push(cost())
    answered += size(answer)
  }
  return { what, costs, answered: answered / calls }
}

function lengthOf(answer: unknown): number {
  return Array.isArray(answer) ? answer.length : 1
}
