/**
 * Changes by hand, and the words that they took away, so that a person can take a change back. `deed` has no words;
 * `deed_text` has one text a row, and `deed_source` the messages on which it rests. Long columns come last.
 */
export const deeds = `
CREATE TABLE deed (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL UNIQUE,
  partition_id INTEGER NOT NULL,
  act TEXT NOT NULL,
  ref BLOB NOT NULL,
  session_id INTEGER NOT NULL,
  place INTEGER NOT NULL,
  writer TEXT NOT NULL,
  done_at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;
CREATE INDEX deed_partition ON deed (partition_id, id);
CREATE INDEX deed_session ON deed (session_id, place) WHERE session_id > 0;
CREATE INDEX deed_done ON deed (done_at);

CREATE TABLE deed_text (
  deed_id INTEGER NOT NULL,
  place INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  ref BLOB NOT NULL,
  state TEXT NOT NULL,
  hand TEXT,
  content TEXT NOT NULL,
  PRIMARY KEY (deed_id, place)
) STRICT;
CREATE INDEX deed_text_ref ON deed_text (ref);

CREATE TABLE deed_source (
  session_id INTEGER NOT NULL,
  deed_id INTEGER NOT NULL,
  place INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  PRIMARY KEY (session_id, deed_id, place, from_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX deed_source_text ON deed_source (deed_id, place);
`
