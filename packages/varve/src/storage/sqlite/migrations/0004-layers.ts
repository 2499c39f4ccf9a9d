/**
 * Layers derived from messages. Parts hold a writer's text about at most 40 messages of one sitting; items are gists
 * and bank entries for index and recall. There are also leases on work, and the ledger of model calls.
 *
 * A session holds its reading progress (`read_seq`, `read_epoch`), the layers it was read for, and the layers to write
 * again.
 */
export const layers = `
ALTER TABLE project ADD COLUMN layers_set INTEGER NOT NULL DEFAULT 0;
ALTER TABLE project ADD COLUMN layers_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE project ADD COLUMN sharing_since INTEGER;

ALTER TABLE partition ADD COLUMN share INTEGER NOT NULL DEFAULT 1;
ALTER TABLE partition ADD COLUMN distilled_at INTEGER NOT NULL DEFAULT 0;

ALTER TABLE session ADD COLUMN read_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN read_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN read_layers INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN provisional INTEGER NOT NULL DEFAULT 0;

CREATE INDEX session_unread ON session (partition_id, id) WHERE read_seq < seq OR read_epoch < epoch;
CREATE INDEX session_provisional ON session (partition_id, id) WHERE provisional > 0;

CREATE TABLE part (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  partition_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  layer INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  sitting TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  content TEXT,
  sources TEXT NOT NULL,
  writer TEXT NOT NULL,
  provisional INTEGER NOT NULL,
  written_at INTEGER NOT NULL,
  UNIQUE (session_id, from_seq, layer)
) STRICT;

CREATE INDEX part_partition ON part (partition_id);

CREATE TABLE item (
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  uuid BLOB NOT NULL,
  kind INTEGER NOT NULL,
  rung INTEGER NOT NULL,
  period TEXT NOT NULL,
  session_id INTEGER NOT NULL,
  content TEXT NOT NULL,
  sources TEXT NOT NULL,
  spans TEXT NOT NULL,
  made_of TEXT NOT NULL,
  covered_by INTEGER NOT NULL,
  hand TEXT,
  hand_seq INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  conversations INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  said_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  writer TEXT NOT NULL,
  provisional INTEGER NOT NULL,
  PRIMARY KEY (partition_id, ord)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX item_id ON item (uuid);
CREATE INDEX item_session ON item (session_id, kind, period) WHERE session_id > 0;
CREATE INDEX item_period ON item (partition_id, kind, rung, period);
CREATE INDEX item_newest ON item (partition_id, kind, said_at);
CREATE INDEX item_uncovered ON item (partition_id, rung, period) WHERE kind = 1 AND covered_by = 0;
CREATE INDEX item_pinned ON item (partition_id) WHERE kind = 1 AND pinned = 1;
CREATE INDEX item_provisional ON item (partition_id, rung) WHERE provisional = 1 AND rung > 0;

CREATE TABLE work (
  kind INTEGER NOT NULL,
  ref INTEGER NOT NULL,
  partition_id INTEGER NOT NULL,
  lease_holder TEXT,
  lease_until INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  seen_seq INTEGER NOT NULL,
  reason TEXT,
  PRIMARY KEY (kind, ref)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  task TEXT NOT NULL,
  layers INTEGER NOT NULL,
  model TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  outcome TEXT NOT NULL
) STRICT;

CREATE INDEX ledger_day ON ledger (project_id, began_at);
`
