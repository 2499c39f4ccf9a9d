import type { Called, CalledFarAway, Store } from '../tasks.ts'
import { farAway, nearBy } from './far-away.ts'
import { livedTalk } from './lived-talk.ts'

const warmUp = 3

/** Reads sessions without a model, one user and one session a call: its round trips, and those of a call that finds nothing to do. */
export async function upkeepTask(store: Store, sessions: number, delayMs: number): Promise<CalledFarAway> {
  const userOf = (place: number): string => `kept-up-${place}`
  const session = 'due'
  await nearBy(store, async (memory) => {
    for (let place = 0; place < sessions + warmUp; place += 1) await memory.for(userOf(place)).append(session, livedTalk(place))
  })
  return farAway(store, delayMs, async (memory, measure) => {
    const read = (place: number) => memory.upkeep.run({ all: true, kinds: ['layers'], project: 'default', user: userOf(place), session })
    for (let place = 0; place < warmUp; place += 1) await read(place)
    const [calls, again]: [Called[], Called[]] = [[], []]
    for (let place = warmUp; place < sessions + warmUp; place += 1) {
      calls.push(await measure(() => read(place)))
      again.push(await measure(() => read(place)))
    }
    return { calls, again }
  })
}
