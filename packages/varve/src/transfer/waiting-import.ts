import type { PartitionId } from '../scope/partition.ts'
import type { Listed, ListRequest } from '../storage/listed.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { importLinesWith, type ImportRow, importStates, importsNotDone, importTrust } from '../storage/transfer/imports.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { ImportedText, ImportOrigin, ImportTrust, WaitingImport } from './imported.ts'
import type { AnyRecord, RecordOf } from './records.ts'
import { importOf, recordOfLine } from './staging.ts'

const trusts: readonly ImportTrust[] = ['none', 'key', 'store', 'changed']

export function trustOf(stored: number): ImportTrust {
  return trusts[stored] ?? 'none'
}

export function storedTrust(trust: ImportTrust): number {
  return { none: importTrust.foreign, key: importTrust.trusted, store: importTrust.own, changed: importTrust.changed }[trust]
}

const states: readonly WaitingImport['state'][] = ['coming', 'waiting', 'applying', 'discarding']

function stateOf(stored: number): WaitingImport['state'] {
  return states[stored] ?? 'coming'
}

export function originOf({ store, project, owner, exportedAt }: RecordOf<'header'>): ImportOrigin {
  return {
    store,
    project,
    ...(owner.kind === 'user' ? { user: owner.name } : {}),
    ...(owner.kind === 'project' ? { shared: true } : {}),
    exportedAt,
  }
}

function waitingOf(row: ImportRow): WaitingImport {
  const header: RecordOf<'header'> = JSON.parse(row.header)
  const isOfLines = row.state === importStates.coming || row.state === importStates.waiting
  const counts: Readonly<Record<string, number>> = isOfLines ? JSON.parse(row.counts) : {}
  return {
    id: uuidText(row.uuid),
    state: stateOf(row.state),
    trust: trustOf(row.trust),
    from: originOf(header),
    lines: row.lines,
    bytes: row.bytes,
    applied: row.applied,
    counts,
    createdAt: row.created_at,
  }
}

export function* waitingImports(partition: PartitionId, request: ListRequest): Program<Listed<WaitingImport>> {
  const owner = yield* findPartition(partition)
  if (owner === undefined) return { items: [] }
  const { items, ...rest } = yield* importsNotDone(owner.id, request)
  return { items: items.map(waitingOf), ...rest }
}

/** The texts of an import that are shown, and the characters of each. */
const shownTexts = 20
const shownCharacters = 500

export function* waitingImport(partition: PartitionId, id: string): Program<WaitingImport & { readonly texts: readonly ImportedText[] }> {
  const row = yield* importOf(partition, id)
  const texts: ImportedText[] = []
  for (let line = 1; line <= row.lines && texts.length < shownTexts;) {
    const page = yield* importLinesWith(row, line)
    if (page === undefined) break
    for (const [at, one] of page.body.split('\n').entries()) texts.push(...textOfRecord(recordOfLine(one, page.first + at)))
    line = page.first + page.lines
  }
  return { ...waitingOf(row), texts: texts.slice(0, shownTexts) }
}

function textOfRecord(record: AnyRecord): ImportedText[] {
  if (!('content' in record) || record.content === undefined || record.kind === 'part' || record.kind === 'item') return []
  return [{ kind: record.kind, text: record.content.slice(0, shownCharacters).toWellFormed() }]
}
