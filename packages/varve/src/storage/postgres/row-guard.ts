import type { RowScope } from '../call-scope.ts'
import { keyOf } from '../partitions.ts'
import type { Sent } from './batch.ts'

/**
 * Tells the server whose rows a transaction may see: those of one partition with what its project shares, those of a
 * project for its own handle, or all for work on the store. The policies of docs/operate/postgres-roles.sql read it. A
 * transaction that tells nothing sees nothing.
 */
export function scopeStatement(scope: RowScope | undefined, name: string | undefined): Sent {
  const { project, kind, owner } = scope === undefined ? { project: '', kind: '', owner: '' } : keyOf(scope)
  return {
    name,
    text: `select set_config('varve.scope', $1, true), set_config('varve.project', $2, true),
  set_config('varve.owner_kind', $3, true), set_config('varve.owner', $4, true)`,
    values: [scope === undefined ? 'store' : 'partition', project, `${kind}`, owner],
    wantsRows: false,
  }
}
