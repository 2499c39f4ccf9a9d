/**
 * Tables of long texts, with rowids. Without rowids, SQLite keeps whole rows where it compares keys, and reads all of a
 * row of over 1,000 bytes at each comparison.
 *
 * Among messages of 1 MiB, forgetting one short message took 300 CPU-ms, and a session of 10,000 took 3,200. Long
 * columns come last: to read a column behind one, SQLite would walk through all of its pages.
 */
export const longRows = `
ALTER TABLE message RENAME TO message_before;
CREATE TABLE message (
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  uuid BLOB NOT NULL,
  said_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  role TEXT NOT NULL,
  origin TEXT NOT NULL,
  external_id TEXT,
  name TEXT,
  thread TEXT,
  recalled TEXT,
  metadata TEXT,
  parts TEXT,
  content TEXT NOT NULL,
  PRIMARY KEY (partition_id, ord)
) STRICT;
INSERT INTO message (partition_id, ord, session_id, seq, uuid, external_id, role, origin, name, thread, content, parts, metadata, \
recalled, said_at, recorded_at, tokens)
  SELECT partition_id, ord, session_id, seq, uuid, external_id, role, origin, name, thread, content, parts, metadata, recalled, \
said_at, recorded_at, tokens
  FROM message_before ORDER BY partition_id, ord;
DROP TABLE message_before;
CREATE UNIQUE INDEX message_place ON message (session_id, seq);
CREATE UNIQUE INDEX message_external_id ON message (session_id, external_id) WHERE external_id IS NOT NULL;

ALTER TABLE message_terms RENAME TO message_terms_before;
CREATE TABLE message_terms (
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  said_at INTEGER NOT NULL,
  traits INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (partition_id, ord)
) STRICT;
INSERT INTO message_terms (partition_id, ord, session_id, seq, said_at, body, traits)
  SELECT partition_id, ord, session_id, seq, said_at, body, traits FROM message_terms_before ORDER BY partition_id, ord;
DROP TABLE message_terms_before;

ALTER TABLE page_revision RENAME TO page_revision_before;
CREATE TABLE page_revision (
  page_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  described_by INTEGER NOT NULL,
  writer TEXT NOT NULL,
  written_at INTEGER NOT NULL,
  read_from INTEGER NOT NULL,
  description TEXT NOT NULL,
  spans TEXT NOT NULL,
  authors TEXT NOT NULL,
  content TEXT,
  PRIMARY KEY (page_id, revision)
) STRICT;
INSERT INTO page_revision (page_id, revision, description, described_by, content, authors, writer, written_at, read_from, spans)
  SELECT page_id, revision, description, described_by, content, authors, writer, written_at, read_from, spans FROM \
page_revision_before ORDER BY page_id, revision;
DROP TABLE page_revision_before;

ALTER TABLE block_revision RENAME TO block_revision_before;
CREATE TABLE block_revision (
  block_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  writer TEXT NOT NULL,
  written_at INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (block_id, revision)
) STRICT;
INSERT INTO block_revision (block_id, revision, content, writer, written_at, session_id, from_seq, to_seq)
  SELECT block_id, revision, content, writer, written_at, session_id, from_seq, to_seq FROM block_revision_before ORDER BY block_id, \
revision;
DROP TABLE block_revision_before;
`
