/**
 * Imports that wait: their lines as they came, until all are there and somebody accepts them. `import_place` holds
 * numbers only.
 *
 * `forgotten_key` holds the keys of hashes of forgotten ids that came with an import. `receipt_owner` tells whose erasures
 * a receipt is about, by the same keyed hash as `forgotten_id`: a person takes the receipts along.
 */
export const imports = `
CREATE TABLE import (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL UNIQUE,
  partition_id INTEGER NOT NULL,
  bundle BLOB NOT NULL,
  header TEXT NOT NULL,
  state INTEGER NOT NULL,
  trust INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  applied INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  counts TEXT NOT NULL
) STRICT;
CREATE INDEX import_partition ON import (partition_id, id);
CREATE TABLE import_lines (
  import_id INTEGER NOT NULL,
  first INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (import_id, first)
) STRICT;
CREATE TABLE import_place (
  import_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  theirs INTEGER NOT NULL,
  ours INTEGER NOT NULL,
  PRIMARY KEY (import_id, kind, theirs)
) STRICT, WITHOUT ROWID;
CREATE TABLE receipt_owner (
  receipt BLOB NOT NULL PRIMARY KEY,
  owner BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_owner_owner ON receipt_owner (owner, receipt);
CREATE TABLE forgotten_key (
  owner BLOB NOT NULL,
  secret BLOB NOT NULL,
  up_to INTEGER NOT NULL,
  PRIMARY KEY (owner, secret)
) STRICT, WITHOUT ROWID;
`
