import { type Epochs, epochsAround } from '../epochs.ts'
import { abreast, type Program } from '../program.ts'
import { contextKeys, contextsKept, newestContexts } from './contexts.ts'

/** The newest contexts that are compared: of other sessions, and 20 each of contexts and recalls without a session. */
const mostElsewhere = 40 + 2 * contextsKept

/** The numbers of the contexts that a session was shown, and of those that others of its partition were shown lately. */
export interface ContextsAround {
  readonly around: Epochs
  readonly here: readonly number[]
  readonly elsewhere: readonly number[]
  /** The number of the partition's newest context; 0 where it has none. Numbers rise with each new one. */
  readonly newest: number
}

/** Looks them up in one step. */
export function* contextsShownTo(partition: number, session: string): Program<ContextsAround> {
  const [around, here, newest] = yield* abreast([
    epochsAround(partition),
    contextKeys(partition, session),
    newestContexts(partition, mostElsewhere + contextsKept),
  ])
  const elsewhere = newest.filter((one) => one.session !== session).slice(0, mostElsewhere)
  return { around, here: here.map(({ id }) => id), elsewhere: elsewhere.map(({ id }) => id), newest: newest[0]?.id ?? 0 }
}
