import type { FactQuery, UserMemory } from '../../packages/varve/src/index.ts'
import { below, seeded } from '../shared/random.ts'
import { residentMb } from '../shared/usage.ts'
import { user } from './fill-task.ts'
import { end, type MadeUp, madeUp, twoYears } from './made-up.ts'
import { openFilled } from './open.ts'
import type { Asked, FactStore, Timed } from './tasks.ts'
import { timed } from './timing.ts'

/** The middle of the two years, for questions about the facts and the beliefs of that time. */
const past = new Date(end - twoYears / 2)

/** The queries by kind, each about a statement that was made. */
const kinds: Readonly<Record<string, (of: MadeUp) => FactQuery>> = {
  'subject and predicate': ({ subject, predicate }) => ({ subject: nameFor(subject), predicate }),
  'the user and a predicate': ({ predicate }) => ({ subject: 'I', predicate }),
  subject: ({ subject }) => ({ subject: nameFor(subject) }),
  'the user': () => ({ subject: 'I' }),
  object: ({ object }) => ({ object }),
  predicate: ({ predicate }) => ({ predicate }),
  'no filter': () => ({}),
}

const times = { now: {}, 'validAt in the past': { validAt: past }, 'asOf in the past': { asOf: past } } as const

function nameFor(subject: string): string {
  return subject === '' ? 'I' : subject
}

/** Asks a filled store in all ways, one call after the other. */
export async function askTask({ store, calls, vectors }: { store: FactStore; calls: number; vectors: boolean }): Promise<Asked> {
  await using memory = await openFilled(store.file, vectors)
  const ada = memory.for(user)
  const openMb = residentMb()
  const said = sample(madeUp(store.statements), calls)
  const found: Timed[] = []
  for (const [kind, query] of Object.entries(kinds)) {
    for (const [when, at] of Object.entries(times))
      found.push(await timed(`query by ${kind}, ${when}`, calls, (place) => ada.facts.query({ ...query(said(place)), ...at })))
  }
  found.push(...(await others(ada, said, calls)), ...(await shown(ada, said, calls)))
  return { timed: found, openMb, residentMb: residentMb() }
}

/** Picks so many statements at random. */
function sample(said: readonly MadeUp[], calls: number): (place: number) => MadeUp {
  const random = seeded(11)
  const chosen: MadeUp[] = []
  while (chosen.length < calls) {
    const one = said[below(random, said.length)]
    if (one !== undefined) chosen.push(one)
  }
  return (place) => chosen[place % chosen.length] ?? { says: 'is', subject: '', predicate: 'likes', object: 'nothing', at: end }
}

async function others(ada: UserMemory, said: (place: number) => MadeUp, calls: number): Promise<Timed[]> {
  const ids = (await ada.facts.query({ limit: Math.min(10_000, calls) })).map(({ id }) => id)
  const wordsOf = ({ subject, predicate, object }: MadeUp): string => `what of ${subject} ${predicate} ${object}`
  return [
    await timed('history by subject and predicate', calls, (place) =>
      ada.facts.history({ subject: nameFor(said(place).subject), predicate: said(place).predicate }),
    ),
    await timed('history by id', calls, (place) => ada.facts.history(ids[place % ids.length] ?? '')),
    await timed('around a name, 2 hops', calls, (place) => ada.facts.around(nameFor(said(place).subject))),
    await timed(
      'facts.recall, the first',
      1,
      () => ada.facts.recall('what of it'),
      ({ hits }) => hits.length,
      0,
    ),
    await timed(
      'facts.recall',
      calls,
      (place) => ada.facts.recall(wordsOf(said(place))),
      ({ hits }) => hits.length,
    ),
    await timed(
      'facts.recall, asOf in the past',
      calls,
      (place) => ada.facts.recall(wordsOf(said(place)), { asOf: past }),
      ({ hits }) => hits.length,
    ),
    await timed(
      'facts.recall of one word',
      calls,
      (place) => ada.facts.recall(said(place).predicate.split(' ')[0] ?? ''),
      ({ hits }) => hits.length,
    ),
  ]
}

/** Times profiles, the first and later ones, also right after a fact was added; and contexts with and without one. */
async function shown(ada: UserMemory, said: (place: number) => MadeUp, calls: number): Promise<Timed[]> {
  const query = (place: number): string => `what of ${said(place).object}`
  const sizeOf = ({ tokens }: { readonly tokens: number }): number => tokens
  return [
    await timed(
      'profile, the first',
      1,
      () => ada.profile(),
      ({ subjects }) => subjects.length,
      0,
    ),
    await timed(
      'profile, again',
      calls,
      () => ada.profile(),
      ({ subjects }) => subjects.length,
    ),
    await timed(
      'context without the profile',
      calls,
      (place) => ada.context({ query: query(place), tiers: { profile: { share: 0 } } }),
      sizeOf,
    ),
    await timed('context', calls, (place) => ada.context({ query: query(place) }), sizeOf),
    await timed(
      'context after a new fact',
      Math.min(calls, 100),
      async (place) => {
        await ada.facts.add({ predicate: 'asked to remember', object: `number ${place}` })
        return ada.context({ query: query(place) })
      },
      sizeOf,
      5,
    ),
  ]
}
