import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { StoreBusy } from '../../errors/store-busy.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { getReceipt, type Receipt } from '../erase/receipts.ts'
import { uuidText } from '../uuid-bytes.ts'
import { classify } from './classify.ts'
import type { Connection } from './connection.ts'
import { executeRead } from './execute.ts'
import { migrate, type MigrateOptions } from './migrate.ts'
import { applyPragmas, refuseForeign } from './open-connection.ts'

/** The time that is waited for another process to let go of a store: milliseconds. */
const patienceMs = 1_000

/** A store that nobody else can open, in one file without a log. */
export interface HeldStore {
  /** The id of the store, and its secret. */
  readonly identity: { readonly id: unknown; readonly key: unknown }
  /** Gives the receipts that another file of the store does not have, the oldest first. */
  receiptsMissingIn(file: string): readonly Receipt[]
  /** Copies to another file of the store what it lacks: receipts, hashes of ids that were forgotten, and the ends of keys. */
  carryTo(file: string): void
  /** From now on the store has no journal beside it: its name may go to another file. */
  endJournal(): void
  /** Lets go of it. */
  release(): void
}

/**
 * Takes a store for this process alone, brings its log into its file, and migrates it. Every process of Varve holds a
 * shared lock on the file as long as it has the store open, so that the exclusive lock of SQLite is refused.
 *
 * @throws StoreBusy while another process has it open; StoreForeign, StoreDamaged or SchemaTooNew where it cannot be read.
 */
export function holdStore(file: string, options: Omit<MigrateOptions, 'file'>): HeldStore {
  refuseForeign(file)
  const connection = new Database(file, { fileMustExist: true })
  try {
    applyPragmas(connection)
    takeAlone(connection, file)
    migrate(connection, { ...options, file })
    const identity = identityIn(connection)
    return {
      identity,
      receiptsMissingIn: (other) => receiptsMissing(connection, other),
      carryTo: (other) => attached(connection, other, () => connection.exec(carried)),
      endJournal: () => {
        connection.pragma('journal_mode = MEMORY')
        // The exclusive lock keeps it, empty, until the end.
        rmSync(`${file}-journal`, { force: true })
      },
      release: () => connection.close(),
    }
  } catch (error) {
    connection.close()
    throw classify(error, file, 'restore')
  }
}

/** Takes the exclusive lock of a file, and brings its log into it. StoreBusy while another process has it open. */
export function takeAlone(connection: Connection, file: string): void {
  const reason = 'SQLite gives no exclusive lock on it while a process has it open. End that process first'
  try {
    connection.pragma(`busy_timeout = ${patienceMs}`)
    connection.pragma('locking_mode = EXCLUSIVE')
    if (connection.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw new StoreBusy({ store: file, reason })
    connection.exec('BEGIN EXCLUSIVE; COMMIT')
  } catch (error) {
    const known = classify(error, file, 'restore')
    throw VarveError.is(known) && known.code === 'STORE_BUSY' ? new StoreBusy({ store: file, reason }, { cause: error }) : error
  }
}

/** Reads the id and the secret of a store. */
export function identityIn(connection: Connection): HeldStore['identity'] {
  const read = connection.prepare<[string]>('SELECT value FROM meta WHERE key = ?').pluck()
  return { id: read.get('store_id'), key: read.get('store_key') }
}

function attached<Result>(connection: Connection, other: string, use: () => Result): Result {
  connection.prepare<[string]>('ATTACH DATABASE ? AS other').run(other)
  try {
    return use()
  } finally {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    connection.exec('DETACH DATABASE other')
  }
}

function receiptsMissing(connection: Connection, other: string): readonly Receipt[] {
  const missing = 'SELECT uuid FROM main.receipt r WHERE NOT EXISTS (SELECT 1 FROM other.receipt o WHERE o.uuid = r.uuid) ORDER BY id'
  const uuids = attached(connection, other, () => connection.prepare<[], { uuid: Uint8Array }>(missing).all())
  return uuids.flatMap(({ uuid }) => executeRead(connection, getReceipt(uuidText(uuid))) ?? [])
}

/**
 * Own hashes of an owner have numbers from 1 on, those of other stores from -1 down: they go on after those that are
 * there. A receipt's bytes were overwritten in the store that goes, or go with it.
 *
 * A key of the copy that the store has revoked is revoked, as storage/doors/caller-keys.ts does it. One that the store
 * does not have any more went with its project.
 */
const carried = `
BEGIN IMMEDIATE;
INSERT INTO other.receipt (uuid, counts, physical, created_at, done_at, attempts, reason, lease_holder, lease_until, erased, signatures)
  SELECT uuid, counts, physical, created_at, done_at, attempts, reason, NULL, 0, erased, signatures FROM main.receipt r
  WHERE NOT EXISTS (SELECT 1 FROM other.receipt o WHERE o.uuid = r.uuid) ORDER BY id;
INSERT OR IGNORE INTO other.receipt_owner SELECT receipt, owner FROM main.receipt_owner;
INSERT INTO other.forgotten_key SELECT owner, secret, up_to FROM main.forgotten_key WHERE true
  ON CONFLICT (owner, secret) DO UPDATE SET up_to = max(up_to, excluded.up_to);
INSERT OR IGNORE INTO other.forgotten_id
  SELECT f.owner, max(0, coalesce((SELECT max(ord) FROM other.forgotten_id o WHERE o.owner = f.owner), 0))
    + row_number() OVER (PARTITION BY f.owner ORDER BY f.ord), f.digest
  FROM main.forgotten_id f WHERE f.ord > 0
    AND NOT EXISTS (SELECT 1 FROM other.forgotten_id o WHERE o.owner = f.owner AND o.digest = f.digest);
INSERT OR IGNORE INTO other.forgotten_id
  SELECT f.owner, min(0, coalesce((SELECT min(ord) FROM other.forgotten_id o WHERE o.owner = f.owner), 0))
    - row_number() OVER (PARTITION BY f.owner ORDER BY f.ord DESC), f.digest
  FROM main.forgotten_id f WHERE f.ord < 0
    AND NOT EXISTS (SELECT 1 FROM other.forgotten_id o WHERE o.owner = f.owner AND o.digest = f.digest);
UPDATE other.api_key AS o SET revoked_at = m.revoked_at, name = '', owner = CASE WHEN o.owner IS NULL THEN NULL ELSE '' END
  FROM main.api_key m WHERE m.uuid = o.uuid AND m.revoked_at IS NOT NULL AND o.revoked_at IS NULL;
DELETE FROM other.api_key WHERE uuid NOT IN (SELECT uuid FROM main.api_key);
COMMIT;
`
