/** Contexts shown to sessions (to recognise their echoes), and receipts of erasures (to finish them). */
export const contextsAndReceipts = `
CREATE TABLE context_record (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL UNIQUE,
  partition_id INTEGER NOT NULL,
  session TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  items TEXT NOT NULL,
  shingles BLOB NOT NULL
) STRICT;

CREATE INDEX context_record_session ON context_record (partition_id, session, id);

CREATE TABLE receipt (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL UNIQUE,
  counts TEXT NOT NULL,
  physical TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  done_at INTEGER,
  attempts INTEGER NOT NULL,
  reason TEXT,
  lease_holder TEXT,
  lease_until INTEGER NOT NULL
) STRICT;

CREATE INDEX receipt_pending ON receipt (physical) WHERE physical = 'pending';
`
