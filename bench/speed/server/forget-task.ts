import type { Called, CalledFarAway, Store } from '../tasks.ts'
import { farAway, nearBy } from './far-away.ts'
import { livedTalk } from './lived-talk.ts'

/** Sessions that are forgotten before those that are measured: they load the code. */
const warmUp = 3

const sessionOf = (place: number): string => `forgotten-${place}`

/** Forgets sessions with their gists and facts, one at a time, over a network with some delay. */
export async function forgetTask(store: Store, sessions: number, delayMs: number): Promise<CalledFarAway> {
  const user = 'forgetful'
  await nearBy(store, async (memory) => {
    for (let place = 0; place < sessions + warmUp; place += 1) await memory.for(user).append(sessionOf(place), livedTalk(place))
    await memory.upkeep.run({ all: true, project: 'default', user })
  })
  return farAway(store, delayMs, async (memory, measure) => {
    const forget = (place: number) => memory.for(user).forget({ session: sessionOf(place) })
    for (let place = 0; place < warmUp; place += 1) await forget(place)
    const calls: Called[] = []
    for (let place = warmUp; place < sessions + warmUp; place += 1) calls.push(await measure(() => forget(place)))
    return { calls, again: [] }
  })
}
