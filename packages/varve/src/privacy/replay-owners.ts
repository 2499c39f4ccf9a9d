import { type PartitionId, partitionId, projectName } from '../scope/partition.ts'
import { nameHashes } from '../storage/erase/erases.ts'
import { ownersAfter, projectRowsAfter } from '../storage/erase/replay-rows.ts'
import type { Here } from '../storage/here.ts'
import { partitionOf } from './replay-plan.ts'
import type { OwnersByHash } from './replaying.ts'

interface Sharing {
  readonly since: number | null
  readonly answers: number | null
}

class KeptOwners {
  owners: OwnersByHash | undefined
}

/** Gives the owners by their hashes. They are kept from the first receipt of a replay to its last. */
export async function ownersIn(here: Here, isFirst: boolean): Promise<OwnersByHash> {
  const kept = here.keep(KeptOwners, () => new KeptOwners())
  if (isFirst || kept.owners === undefined) kept.owners = await ownersByHash(here)
  return kept.owners
}

/** Hashes the name of every owner: 3 µs each. Between pages other calls have their turn. */
async function ownersByHash(here: Here): Promise<OwnersByHash> {
  const hashes = nameHashes(here.key)
  const partitions = new Map<string, PartitionId>()
  const projects = new Map<string, string>()
  const byName = new Map<string, Sharing>()
  for (let after = 0; ;) {
    const rows = await here.read(projectRowsAfter(after))
    for (const { name, sharing_since: since, answers_since: answers } of rows) {
      const shared = partitionId(projectName(name), { kind: 'shared' })
      partitions.set(hashes.owner(shared), shared)
      projects.set(hashes.project(name), name)
      byName.set(name, { since, answers })
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
  for (let after = 0; ;) {
    const rows = await here.read(ownersAfter(after))
    for (const { project, kind, owner } of rows) {
      const partition = partitionOf(project, kind, owner)
      partitions.set(hashes.owner(partition), partition)
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
  return {
    partition: (hash) => partitions.get(hash),
    project: (hash) => projects.get(hash),
    sharingSince: (project) => byName.get(project)?.since ?? undefined,
    answersSince: (project) => byName.get(project)?.answers ?? undefined,
  }
}
