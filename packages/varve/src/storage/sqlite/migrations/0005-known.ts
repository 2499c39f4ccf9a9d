/**
 * Facts and blocks. Facts are stored as assertions. Their intervals are derived when they are read, so that forgotten
 * words leave nothing behind.
 *
 * Assertions stand in a partition of their own (owner_kind + 6), with ordinals, terms and vectors like messages. Blocks
 * are working memory, with their revisions.
 */
export const known = `
CREATE TABLE assertion (
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  fact BLOB NOT NULL,
  says INTEGER NOT NULL,
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  predicate_key TEXT NOT NULL,
  object_key TEXT NOT NULL,
  instead_key TEXT,
  valid_from INTEGER,
  valid_until INTEGER,
  said_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  withdrawn_at INTEGER,
  confidence REAL NOT NULL,
  single INTEGER NOT NULL,
  phrase TEXT,
  when_from INTEGER,
  when_to INTEGER,
  depends_on TEXT NOT NULL,
  writer TEXT NOT NULL,
  session_id INTEGER NOT NULL,
  PRIMARY KEY (partition_id, ord)
) STRICT, WITHOUT ROWID;

CREATE INDEX assertion_subject ON assertion (partition_id, subject_key);
CREATE INDEX assertion_slot ON assertion (partition_id, subject_key, predicate_key);
CREATE INDEX assertion_statement ON assertion (partition_id, subject_key, predicate_key, object_key);
CREATE INDEX assertion_object ON assertion (partition_id, object_key);
CREATE INDEX assertion_predicate ON assertion (partition_id, predicate_key);
CREATE INDEX assertion_single ON assertion (partition_id, subject_key, predicate_key) WHERE single = 1;
CREATE INDEX assertion_instead ON assertion (partition_id, subject_key, predicate_key, instead_key) WHERE instead_key IS NOT NULL;
CREATE INDEX assertion_fact ON assertion (fact);
CREATE INDEX assertion_session ON assertion (session_id) WHERE session_id > 0;

CREATE TABLE assertion_source (
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  starts INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  PRIMARY KEY (partition_id, ord, session_id, seq, starts)
) STRICT, WITHOUT ROWID;

CREATE INDEX assertion_source_message ON assertion_source (session_id, seq);

CREATE TABLE entity (
  partition_id INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  entity_key TEXT NOT NULL,
  PRIMARY KEY (partition_id, name_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE block (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL,
  partition_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  place INTEGER NOT NULL,
  max_chars INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (partition_id, session_id, name)
) STRICT;

CREATE UNIQUE INDEX block_id ON block (uuid);

CREATE TABLE block_revision (
  block_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  content TEXT NOT NULL,
  writer TEXT NOT NULL,
  written_at INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  PRIMARY KEY (block_id, revision)
) STRICT, WITHOUT ROWID;
`
