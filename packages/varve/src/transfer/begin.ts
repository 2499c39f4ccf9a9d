import type { PartitionId } from '../scope/partition.ts'
import { projectNumber } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { ProjectTable } from '../storage/schema.ts'
import { detailsOfPartition, detailsOfProject, schemaOfStore, storeId } from '../storage/transfer/log-rows.ts'
import { beginState, type ExportState } from './export-state.ts'
import { lineOf } from './log-lines.ts'
import type { RecordOf } from './records.ts'
import { jsonObjectIn } from './stored-json.ts'

/** The begin of an export: the state that it keeps to, the lines of settings, and what its header says of the store. */
export interface ExportBegin {
  readonly state: ExportState
  readonly store: string
  readonly schema: number
  readonly settings: readonly string[]
}

export function* beginExport(partition: PartitionId): Program<ExportBegin> {
  const project = yield* projectNumber(partition.project)
  const state = yield* beginState(partition, project ?? 0)
  return { state, store: yield* storeId(), schema: yield* schemaOfStore(), settings: yield* settingsLines(state) }
}

function answersOf({ answers_since: since, answers_by: by }: ProjectTable): Pick<RecordOf<'project'>, 'answers'> {
  return since === null ? {} : { answers: { since, ...(by === null ? {} : { by }) } }
}

/** Writes the settings of a project, or of a user. A user's export holds nothing of the project. */
function* settingsLines({ isShared, own, project }: ExportState): Program<readonly string[]> {
  if (isShared) {
    const row = yield* detailsOfProject(project)
    if (row === undefined) return []
    return [
      lineOf({
        kind: 'project',
        settings: jsonObjectIn(row.settings),
        ...(row.sharing_since === null ? {} : { sharingSince: row.sharing_since }),
        ...answersOf(row),
        createdAt: row.created_at,
      }),
    ]
  }
  const row = yield* detailsOfPartition(own)
  return row === undefined ? [] : [lineOf({ kind: 'owner', share: row.share === 1, createdAt: row.created_at })]
}
