/**
 * What a person wants done from now on, a statement a row. The intervals in which an instruction stands are derived when
 * they are read, so that forgotten words leave nothing behind. Long columns come last.
 */
export const instructionTable = `
CREATE TABLE instruction (
  uuid BLOB NOT NULL PRIMARY KEY,
  partition_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  starts INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  said_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  edited_at INTEGER,
  withdrawn_at INTEGER,
  takes_back INTEGER NOT NULL,
  compared INTEGER NOT NULL,
  provisional INTEGER NOT NULL,
  writer TEXT NOT NULL,
  content TEXT NOT NULL,
  hand TEXT,
  ended TEXT NOT NULL
) STRICT;

CREATE INDEX instruction_said ON instruction (partition_id, said_at) WHERE session_id > 0;
CREATE INDEX instruction_hand ON instruction (partition_id, said_at) WHERE session_id = 0;
CREATE INDEX instruction_message ON instruction (session_id, seq) WHERE session_id > 0;
`
