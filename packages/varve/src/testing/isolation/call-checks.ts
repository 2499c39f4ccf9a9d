import { isDeepStrictEqual } from 'node:util'
import { craftedFrom, neverGiven } from './crafted-ids.ts'
import type { BreachCheck } from './breach-check.ts'
import type { CallWith, MemoryUnderTest, OpenedMemory } from './memory-under-test.ts'
import { type Resident, harbourQuestion, randomOwners, secretOf, settle, sharedSession } from './owners.ts'
import { publicMethods } from './public-methods.ts'
import { wordsWithin } from './words-within.ts'

/** What a call gave: its answer, or the error that it threw. */
type Outcome = { readonly answered: unknown } | { readonly refused: unknown }

async function outcomeOf(call: () => unknown): Promise<Outcome> {
  try {
    return { answered: await call() }
  } catch (error) {
    return { refused: error }
  }
}

function given(id: string): CallWith {
  return { id, session: sharedSession, question: harbourQuestion, text: 'The kettle is on.' }
}

/** Gives random owners their memory. */
async function inhabited<Handle>(memory: MemoryUnderTest<Handle>, opened: OpenedMemory<Handle>, seed: number): Promise<Resident<Handle>[]> {
  const owners: Resident<Handle>[] = []
  for (const [place, key] of randomOwners(seed, memory.apart ?? ['project', 'user']).entries()) {
    const owner = await settle(memory, opened, key, secretOf(seed, place))
    if (owner !== undefined) owners.push(owner)
  }
  return owners
}

function callsOf<Handle>(memory: MemoryUnderTest<Handle>, { handle }: Resident<Handle>, id: string): [string, () => unknown][] {
  return Object.entries(memory.calls(handle, given(id)))
}

const shownName = ({ key }: Resident<unknown>): string => JSON.stringify(key)

/** Each method of the surface needs a case, and each case a method. */
const everyMethod: BreachCheck = {
  name: 'every public method has a case',
  breaches: async (memory, opened, seed) => {
    const [key] = randomOwners(seed, memory.apart ?? ['project', 'user'])
    const owner = key === undefined ? undefined : await settle(memory, opened, key, secretOf(seed, 0))
    if (owner === undefined) return ['the memory refuses every owner']
    const surface = memory.surface === undefined ? owner.handle : memory.surface(owner.handle)
    if (typeof surface !== 'object' || surface === null) return ['the surface is no object']
    const methods = publicMethods(surface, memory.areNotPublic)
    const cases = Object.keys(memory.calls(owner.handle, given(owner.ids[0] ?? '')))
    const excused = Object.keys(memory.reachesNothing ?? {})
    return [
      ...methods.filter((path) => !cases.includes(path) && !excused.includes(path)).map((path) => `${path} has no case`),
      ...[...cases, ...excused].filter((path) => !methods.includes(path)).map((path) => `${path} is no public method`),
    ]
  },
}

const words: BreachCheck = {
  name: 'no answer and no error holds the words of another',
  breaches: async (memory, opened, seed) => {
    const owners = await inhabited(memory, opened, seed)
    const found: string[] = []
    for (const owner of owners) {
      for (const [name, call] of callsOf(memory, owner, owner.ids[0] ?? '')) {
        const said = await wordsWithin(await outcomeOf(call))
        for (const other of owners)
          if (other !== owner && said.includes(other.secret))
            found.push(`${name} of ${shownName(owner)} tells the secret of ${shownName(other)}`)
      }
    }
    return found
  },
}

/** One owner's calls with ids of another, and ids made of them. Then the other's state must be as it was. */
const ids: BreachCheck = {
  name: 'no call with an id of another shows or changes anything',
  breaches: async (memory, opened, seed) => {
    const [victim, ...strangers] = await inhabited(memory, opened, seed)
    if (victim === undefined) return ['the memory refuses every owner']
    const found: string[] = []
    let before = await memory.state(victim.handle)
    for (const [place, stranger] of strangers.entries()) {
      const crafted = place === 0 ? victim.ids.slice(0, 1).flatMap(craftedFrom) : []
      for (const id of new Set([...victim.ids, ...crafted])) {
        for (const [name, call] of callsOf(memory, stranger, id)) {
          if ((await wordsWithin(await outcomeOf(call))).includes(victim.secret))
            found.push(`${name} of ${shownName(stranger)} with the id ${JSON.stringify(id)} tells the secret of ${shownName(victim)}`)
        }
        const after = await memory.state(victim.handle)
        if (!isDeepStrictEqual(after, before))
          found.push(`calls of ${shownName(stranger)} with the id ${JSON.stringify(id)} change another's memory`)
        before = after
      }
    }
    return found
  },
}

/** An answer that differs tells that the id is somebody's. Two strangers ask, since a call may end what it reached. */
const existence: BreachCheck = {
  name: 'the id of another is answered as an id that never was',
  breaches: async (memory, opened, seed) => {
    const [victim, one, other] = await inhabited(memory, opened, seed)
    const id = victim?.ids[0]
    if (one === undefined || other === undefined || id === undefined) return ['the memory refuses owners, or gives no ids']
    const never = neverGiven(id)
    const absent = Object.fromEntries(callsOf(memory, other, never))
    const found: string[] = []
    for (const [name, call] of callsOf(memory, one, id)) {
      const [real, made] = [told(await outcomeOf(call), id), told(await outcomeOf(absent[name] ?? call), never)]
      if (real !== made) found.push(`${name}: ${real} for the id of another, and ${made} for an id that never was`)
    }
    return found
  },
}

/** What an outcome tells of an id: an answer, or the words of an error. */
function told(outcome: Outcome, id: string): string {
  return 'refused' in outcome ? String(outcome.refused).replaceAll(id, '#') : 'an answer'
}

const scores: BreachCheck = {
  name: 'what others write moves no score',
  needs: 'search',
  breaches: async (memory, opened, seed) => {
    const apart = memory.apart ?? ['project', 'user']
    const [mine, ...others] = randomOwners(seed, apart)
    const owner = mine === undefined ? undefined : await settle(memory, opened, mine, secretOf(seed, 0))
    if (owner === undefined || memory.search === undefined) return ['the memory refuses every owner']
    const before = await memory.search(owner.handle, harbourQuestion)
    const found: string[] = []
    for (const [place, key] of others.entries()) {
      for (let times = 0; times < 5; times += 1) await settle(memory, opened, key, secretOf(seed, place + 1))
      if (!isDeepStrictEqual(await memory.search(owner.handle, harbourQuestion), before))
        found.push(`the answer changes when ${JSON.stringify(key)} writes`)
    }
    return found
  },
}

const forgets: BreachCheck = {
  name: 'who forgets all forgets nothing of another',
  needs: 'forgetAll',
  breaches: async (memory, opened, seed) => {
    const [first, ...others] = await inhabited(memory, opened, seed)
    if (first === undefined || memory.forgetAll === undefined) return ['the memory refuses every owner']
    const before: unknown[] = []
    for (const { handle } of others) before.push(await memory.state(handle))
    await memory.forgetAll(first.handle)
    const found: string[] = []
    for (const [place, other] of others.entries())
      if (!isDeepStrictEqual(await memory.state(other.handle), before[place])) found.push(`${shownName(other)} lost memory`)
    if ((await wordsWithin(await memory.state(first.handle))).includes(first.secret))
      found.push(`${shownName(first)} still has what was forgotten`)
    return found
  },
}

/** Checks of all calls of a surface. */
export const callChecks: readonly BreachCheck[] = [everyMethod, words, ids, existence, scores, forgets]
