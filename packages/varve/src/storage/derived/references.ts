import { sql } from 'kysely'
import { uuidv7 } from '../../ids/uuid.ts'
import { itemChanges, itemKinds, type NewItem } from './items.ts'
import { spansOf } from './item-lineage.ts'
import type { WrittenPart } from './parts.ts'
import { type PartitionRow, partitionChange } from '../partitions.ts'
import { type Program, type SingleStep, abreast, all, allEach, runList } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { statement } from '../statement.ts'

/** Selects the messages of a shared session for the project's index. The index holds references; the words stay with the messages. */
const between = statement<{ partition: number; session: number; from: number; to: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .innerJoin('message_terms', (join) =>
      join.onRef('message_terms.partition_id', '=', 'message.partition_id').onRef('message_terms.ord', '=', 'message.ord'),
    )
    .select(['message.seq', 'message.said_at', 'message.tokens', 'message_terms.body', 'message_terms.traits'])
    .where('message.session_id', '=', p('session'))
    .$call(d.within(p('partition'), 'message'))
    .where('message.seq', '>=', p('from'))
    .where('message.seq', '<=', p('to'))
    .where('message.origin', 'in', ['person', 'assistant'])
    .orderBy('message.seq'),
)

const referenced = statement<{ partition: number; session: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select('hand_seq')
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('session_id', '>', sql<number>`0`)
    .where('kind', '=', itemKinds.message),
)

/** Adds references to the messages of a shared session's part, except those that exist or hold a secret. */
export function* referenceMessages(...asked: Parameters<typeof referenceChanges>): Program<void> {
  yield* runList(yield* referenceChanges(...asked))
}

/** Returns the steps of referenceMessages(), to run in a list. */
export function* referenceChanges(
  shared: PartitionRow,
  home: number,
  session: number,
  { from, to, withheld = [] }: Pick<WrittenPart, 'from' | 'to' | 'withheld'>,
  now: number,
): Program<readonly SingleStep[]> {
  const [standing, said] = yield* abreast([
    all(referenced, { partition: shared.id, session }),
    all(between, { partition: home, session, from, to }),
  ])
  const known = new Set([...withheld, ...standing.map((row) => row.hand_seq)])
  const messages = said.filter(({ seq }) => !known.has(seq))
  const changes = messages.flatMap((message) => itemChanges(shared, referenceTo(home, session, message), now))
  return messages.length > 0 ? [...changes, partitionChange(shared)] : []
}

function referenceTo(
  home: number,
  session: number,
  { seq, said_at: at, tokens, body: terms, traits }: { seq: number; said_at: number; tokens: number; body: Uint8Array; traits: number },
): NewItem {
  return {
    id: uuidv7(at),
    kind: itemKinds.message,
    rung: 0,
    period: '',
    session,
    home,
    sentences: [],
    spans: [[seq, seq]],
    madeOf: [],
    hand: null,
    handSeq: seq,
    pinned: false,
    messages: 1,
    conversations: 0,
    firstAt: at,
    lastAt: at,
    tokens,
    writer: '',
    provisional: false,
    terms,
    traits,
  }
}

const ofLeaf = statement<{ session: number; partition: number; from: number; to: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('session_id', '=', p('session'))
    .where('session_id', '>', sql<number>`0`)
    .where('kind', '=', itemKinds.message)
    .where('partition_id', '=', p('partition'))
    .where('hand_seq', '>=', p('from'))
    .where('hand_seq', '<=', p('to')),
)

/** Returns the references by which a project finds the source messages of a leaf. */
export function* referencesOf(leaf: ItemTable): Program<readonly ItemTable[]> {
  return (yield* allEach(
    ofLeaf,
    spansOf(leaf).map(([from, to]) => ({ session: leaf.session_id, partition: leaf.partition_id, from, to })),
  )).flat()
}
