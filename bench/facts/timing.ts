import { type Cost, measuring } from '../shared/usage.ts'
import type { Timed } from './tasks.ts'

const warmUp = 50

/** Times calls one after the other, without the first ones; `size` returns the size of an answer. */
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
