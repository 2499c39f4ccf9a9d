/**
 * The tables of the doors. `api_key` holds the keys of callers, hashed. `audit` says who did what, by numbers and ids.
 * `journal` says what happened in a project, in order. `append_key` names the messages of an append that may be sent again.
 */
export const doors = `
CREATE TABLE api_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL UNIQUE,
  digest BLOB NOT NULL,
  name TEXT NOT NULL,
  project TEXT,
  owner TEXT,
  access TEXT NOT NULL,
  origins TEXT,
  impersonate INTEGER NOT NULL,
  per_minute INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  used_at INTEGER
) STRICT;
CREATE INDEX api_key_project ON api_key (project, id);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  partition_id INTEGER NOT NULL,
  act TEXT NOT NULL,
  operation TEXT NOT NULL,
  status INTEGER NOT NULL,
  items TEXT NOT NULL,
  request BLOB NOT NULL
) STRICT;
CREATE INDEX audit_of_project ON audit (project_id, id);
CREATE INDEX audit_of_partition ON audit (partition_id, id);
CREATE INDEX audit_of_key ON audit (key_id, id);

CREATE TABLE journal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  partition_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  first_ord INTEGER NOT NULL,
  last_ord INTEGER NOT NULL,
  ref BLOB NOT NULL,
  count INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX journal_of_project ON journal (project_id, id);
CREATE INDEX journal_of_partition ON journal (partition_id, session_id);

CREATE TABLE append_key (
  partition_id INTEGER NOT NULL,
  digest BLOB NOT NULL,
  session_id INTEGER NOT NULL,
  request BLOB NOT NULL,
  ords TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  PRIMARY KEY (partition_id, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX append_key_session ON append_key (session_id);
CREATE INDEX append_key_recorded ON append_key (recorded_at);
`
