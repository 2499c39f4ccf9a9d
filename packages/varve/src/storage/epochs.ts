import { sql } from 'kysely'
import type { PartitionId } from '../scope/partition.ts'
import { derivedKind, keyOf, knownKind, ownerKinds } from './partitions.ts'
import { abreast, all, type Program } from './program.ts'
import { statement } from './statement.ts'

/** The epochs of all partitions whose content a user is shown, by their keys. An erasure in a partition raises its epoch. */
export type Epochs = readonly (readonly [partition: number, epoch: number])[]

const kindsOf = (kind: number): readonly number[] => [kind, kind + derivedKind, kind + knownKind]

// No user is named ''. So one pair of lists finds the shared partitions, whose owner is '', and the user's own.
const selectEpochs = statement<{ project: string; kinds: string; owners: string }>()((db, p, d) =>
  db
    .selectFrom('partition')
    .select(['id', 'epoch'])
    .where('project_id', '=', db.selectFrom('project').select('id').where('name', '=', p('project')))
    .where('owner_kind', 'in', d.numbers(p('kinds')))
    .where('owner', 'in', d.texts(p('owners'))),
)

/** All kinds of partitions. One of another kind with the same name adds an epoch, which does no harm. */
const allKinds = JSON.stringify(Object.values(ownerKinds).flatMap(kindsOf))

const selectAround = statement<{ partition: number; kinds: string }>()((db, p, d) => {
  const own = db.selectFrom('partition as own').where('own.id', '=', p('partition'))
  return db
    .selectFrom('partition')
    .select(['id', 'epoch'])
    .where('project_id', '=', own.select('own.project_id'))
    .where('owner_kind', 'in', d.numbers(p('kinds')))
    .where('owner', 'in', own.select('own.owner').unionAll(db.selectNoFrom(sql<string>`''`.as('owner'))))
})

/** Returns the epochs of `epochsOf`, and maybe more, for a partition's number. Each append asks for them, so it is one query. */
export function* epochsAround(partition: number): Program<Epochs> {
  return (yield* all(selectAround, { partition, kinds: allKinds })).map(({ id, epoch }) => [id, epoch])
}

/** Returns the epochs of a partition, of its derived and known partitions, and of those that its project shares. */
export function* epochsOf(partition: PartitionId): Program<Epochs> {
  const { project, kind, owner } = keyOf(partition)
  const kinds = JSON.stringify([...kindsOf(kind), ...kindsOf(ownerKinds.shared)])
  const owners = JSON.stringify([...new Set([owner, ''])])
  return (yield* all(selectEpochs, { project, kinds, owners })).map(({ id, epoch }) => [id, epoch])
}

/** What a user is shown, and the epochs of the state that it was read from, with which it is noted. */
export interface FoundAt<Found> {
  readonly found: Found
  readonly epochs: Epochs
}

/** Reads what a user of a partition will be shown. The epochs come first in the first step: what is erased
 * meanwhile is not noted. */
export function* foundAt<Found>(partition: PartitionId, read: Program<Found>): Program<FoundAt<Found>> {
  const [epochs, found] = yield* abreast([epochsOf(partition), read])
  return { found, epochs }
}

/** Tells whether nothing was erased since, in any partition that existed then. */
export function* hasErasedNothing(partition: PartitionId, since: Epochs): Program<boolean> {
  const now = new Map(yield* epochsOf(partition))
  return since.every(([id, epoch]) => now.get(id) === epoch)
}
