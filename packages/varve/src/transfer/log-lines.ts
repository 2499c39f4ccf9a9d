import { languageOfTerms } from '../index/terms-codec.ts'
import { plainJson } from '../messages/plain-json.ts'
import { origins, roles } from '../messages/message.ts'
import { allLayersIn, type Layer } from '../storage/layers.ts'
import { sharing } from '../storage/log/sessions.ts'
import type { ExportedMessage } from '../storage/transfer/log-rows.ts'
import type { ReceiptTable, SessionTable } from '../storage/schema.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { RecordKind, RecordOf } from './records.ts'
import { jsonObjectIn, countsIn, signaturesIn } from './stored-json.ts'

/** Writes one record as a line without its end. Hidden signs are escapes in it: a terminal obeys none. */
export function lineOf<Written extends { readonly kind: RecordKind }>(record: Written): string {
  return plainJson(JSON.stringify(record))
}

const shares = { [sharing.private]: 'private', [sharing.shared]: 'shared', [sharing.unsaid]: 'unsaid' } as const

/** Returns the record of a session. `before`: the place of its first message that the export leaves out. */
export function sessionRecord(row: SessionTable, before: number | undefined): RecordOf<'session'> {
  return {
    kind: 'session',
    id: row.external_id,
    ...(row.name === null ? {} : { name: row.name }),
    share: shareOf(row.share),
    ...(row.shared_from === 0 ? {} : { sharedFrom: row.shared_from }),
    ...(row.metadata === null ? {} : { metadata: jsonObjectIn(row.metadata) }),
    language: row.language,
    votes: countsIn(row.language_votes),
    seq: placeBefore(row.seq, before),
    ...(row.layers_set === 0 ? {} : { layers: switchesOf(row) }),
    createdAt: row.created_at,
    recordedAt: row.last_recorded_at,
    main: { tokens: row.main_tokens, calls: row.main_calls, pause: row.main_pause },
  }
}

function shareOf(stored: number): RecordOf<'session'>['share'] {
  return stored === sharing.private || stored === sharing.shared ? shares[stored] : 'unsaid'
}

function switchesOf({ layers_set: set, layers_on: on }: SessionTable): Partial<Record<Layer, boolean>> {
  const switched = new Set(allLayersIn(on))
  return Object.fromEntries(allLayersIn(set).map((layer) => [layer, switched.has(layer)]))
}

function placeBefore(seq: number, before: number | undefined): number {
  return before === undefined ? seq : Math.min(seq, before - 1)
}

/** Returns how far a session was read for layers. Messages that the export leaves out make it stale. */
export function readingRecord(row: SessionTable, before: number | undefined): RecordOf<'reading'> {
  const seq = placeBefore(row.read_seq, before)
  return {
    kind: 'reading',
    session: row.external_id,
    seq,
    layers: allLayersIn(row.read_layers),
    provisional: allLayersIn(row.provisional),
    stale: row.read_epoch < row.epoch || seq < row.read_seq,
  }
}

/** Writes a message. Parts and metadata are put in as they are stored. */
export function messageLine(row: ExportedMessage): string {
  const record: Omit<RecordOf<'message'>, 'metadata' | 'parts'> = {
    kind: 'message',
    id: uuidText(row.uuid),
    session: row.session,
    seq: row.seq,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    role: roles.find((role) => role === row.role) ?? 'user',
    origin: origins.find((origin) => origin === row.origin) ?? 'tool',
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.thread === null ? {} : { thread: row.thread }),
    at: row.said_at,
    recordedAt: row.recorded_at,
    language: languageOfTerms(row.terms),
    ...(row.recalled === null ? {} : { recalled: pairsOf(row.recalled) }),
    content: row.content,
  }
  const metadata = row.metadata === null ? '' : `,"metadata":${plainJson(row.metadata)}`
  const parts = row.parts === null ? '' : `,"parts":${plainJson(row.parts)}`
  return `${lineOf(record).slice(0, -1)}${metadata}${parts}}`
}

function pairsOf(recalled: string): [number, number][] {
  const ranges: readonly { readonly from: number; readonly to: number }[] = JSON.parse(recalled)
  return ranges.map(({ from, to }) => [from, to])
}

/** Returns the record of a receipt: numbers, hashes and signatures. It has all that the signatures cover. */
export function receiptRecord(row: ReceiptTable): RecordOf<'receipt'> {
  return {
    kind: 'receipt',
    id: uuidText(row.uuid),
    counts: countsIn(row.counts),
    logical: 'done',
    physical: row.physical === 'done' ? 'done' : 'pending',
    at: row.created_at,
    ...(row.done_at === null ? {} : { doneAt: row.done_at }),
    ...(row.erased === null ? {} : { erased: jsonObjectIn(row.erased) }),
    ...(row.signatures === null ? {} : { signatures: signaturesIn(row.signatures) }),
  }
}
