/**
 * Pages: documents of a user or a project, and the notes of a session, each with its revisions.
 *
 * Each line has the revision that wrote it, and each revision has the source messages of its lines. So forgetting takes
 * lines, not pages. A page's facts are read for documents; they have page 0 until they are worked in. Sessions switch
 * layers themselves, and count the messages of their main line.
 */
export const pages = `
ALTER TABLE session ADD COLUMN layers_set INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN layers_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN main_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN main_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN main_pause INTEGER NOT NULL DEFAULT 0;
CREATE INDEX session_recorded ON session (last_recorded_at);
CREATE INDEX session_switched ON session (partition_id) WHERE layers_on > 0;
UPDATE session SET main_tokens = (SELECT coalesce(sum(tokens), 0) FROM message WHERE message.session_id = session.id AND \
message.thread IS NULL), main_pause = 1;

CREATE TABLE page (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL,
  partition_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  max_chars INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  description TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  noted_seq INTEGER NOT NULL,
  noted_tokens INTEGER NOT NULL,
  noted_calls INTEGER NOT NULL,
  indexed INTEGER NOT NULL,
  UNIQUE (partition_id, kind, session_id, name_key)
) STRICT;

CREATE UNIQUE INDEX page_uuid ON page (uuid);
CREATE INDEX page_unindexed ON page (id) WHERE indexed = 0;
CREATE INDEX page_session ON page (session_id) WHERE session_id > 0;

CREATE TABLE page_revision (
  page_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  description TEXT NOT NULL,
  described_by INTEGER NOT NULL,
  content TEXT,
  authors TEXT NOT NULL,
  writer TEXT NOT NULL,
  written_at INTEGER NOT NULL,
  read_from INTEGER NOT NULL,
  spans TEXT NOT NULL,
  PRIMARY KEY (page_id, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE page_source (
  session_id INTEGER NOT NULL,
  page_id INTEGER NOT NULL,
  PRIMARY KEY (session_id, page_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_source_page ON page_source (page_id);

CREATE TABLE page_fact (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  partition_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  also TEXT NOT NULL,
  subject TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  fact TEXT NOT NULL,
  said_at INTEGER NOT NULL,
  writer TEXT NOT NULL,
  page_id INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;

CREATE INDEX page_fact_session ON page_fact (session_id, seq);
CREATE INDEX page_fact_subject ON page_fact (partition_id, subject_key);
CREATE INDEX page_fact_pending ON page_fact (partition_id) WHERE page_id = 0;
CREATE INDEX page_fact_page ON page_fact (page_id) WHERE page_id > 0;

ALTER TABLE item ADD COLUMN page_id INTEGER NOT NULL DEFAULT 0;
CREATE INDEX item_page ON item (page_id) WHERE page_id > 0;
`
