import type { PartitionId } from '../scope/partition.ts'
import type { RecordOf } from './records.ts'

/** Tells whether the header of an export names a partition as its owner. */
export function isExportOf({ project, owner }: RecordOf<'header'>, partition: PartitionId): boolean {
  if (project !== partition.project) return false
  if (owner.kind === 'user') return partition.owner.kind === 'user' && partition.owner.name === owner.name
  return partition.owner.kind === (owner.kind === 'project' ? 'shared' : 'anonymous')
}
