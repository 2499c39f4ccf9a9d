import * as z from 'zod'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import { moment, onlySession, record, typed } from './fields.ts'
import type { PartitionMeans } from './means.ts'
import { idsOf, messageReference } from './message-references.ts'

const selected = 'at least one of { session, before, messages }, or { all: true }'
const someIds = { error: 'a list of at least one id' }

/** Makes the field of a selection. It refuses a selection of nothing, and undefined in a field: a guess could erase everything. */
export const selection = () =>
  typed(
    'ForgetInput',
    z.preprocess(
      ownFields,
      record({
        session: onlySession().describe('Messages of this session.'),
        before: z.exactOptional(moment()).describe('Said strictly before this time.'),
        messages: z
          .exactOptional(z.array(messageReference(), someIds).min(1, someIds))
          .describe('Ids of messages: Varve’s, or the host’s own.'),
        all: z.exactOptional(z.literal(true, { error: 'true, or left out' })).describe('Everything of this partition.'),
      }),
    ),
  )
    .refine((given) => (given.all === true ? Object.keys(given).length === 1 : Object.keys(given).length > 0), { error: selected })
    .describe('The messages to forget: `session`, `before` and `messages` narrow each other; or `all`.')

type Selection = z.output<ReturnType<typeof selection>>

/** Puts Varve's ids in the place of the host's. */
export async function byOwnIds(means: PartitionMeans, { messages, ...what }: Selection): Promise<ForgetSelection> {
  if (messages === undefined) return what
  return { ...what, messages: await idsOf(means, messages, { option: 'messages', session: what.session }) }
}

/** Copies an object without inherited fields. Zod reads those too, and an inherited `all` would erase everything. */
function ownFields(received: unknown): unknown {
  return typeof received === 'object' && received !== null && !Array.isArray(received) ? { ...received } : received
}
