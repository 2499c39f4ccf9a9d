/** Projects, partitions, sessions, messages with their terms, and the tombstones by which readers learn of erasures. */
export const log = `
CREATE TABLE project (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE partition (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project (id),
  owner_kind INTEGER NOT NULL,
  owner TEXT NOT NULL,
  seq INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  term_bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (project_id, owner_kind, owner)
) STRICT;

CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  partition_id INTEGER NOT NULL REFERENCES partition (id),
  external_id TEXT NOT NULL,
  name TEXT,
  share INTEGER NOT NULL,
  metadata TEXT,
  language TEXT NOT NULL,
  language_votes TEXT NOT NULL,
  seq INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  first_said_at INTEGER,
  last_said_at INTEGER,
  last_recorded_at INTEGER NOT NULL,
  UNIQUE (partition_id, external_id)
) STRICT;

CREATE TABLE message (
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  uuid BLOB NOT NULL,
  external_id TEXT,
  role TEXT NOT NULL,
  origin TEXT NOT NULL,
  name TEXT,
  thread TEXT,
  content TEXT NOT NULL,
  parts TEXT,
  metadata TEXT,
  recalled TEXT,
  said_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (partition_id, ord)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX message_place ON message (session_id, seq);
CREATE UNIQUE INDEX message_external_id ON message (session_id, external_id) WHERE external_id IS NOT NULL;

CREATE TABLE message_moved (
  partition_id INTEGER NOT NULL,
  uuid BLOB NOT NULL,
  ord INTEGER NOT NULL,
  PRIMARY KEY (partition_id, uuid)
) STRICT, WITHOUT ROWID;

CREATE TABLE message_terms (
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  said_at INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (partition_id, ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstone (
  partition_id INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  PRIMARY KEY (partition_id, epoch, ord)
) STRICT, WITHOUT ROWID;
`
