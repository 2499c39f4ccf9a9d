/**
 * Traits of messages (none for older messages), vectors by model, and the embedding progress of each partition.
 *
 * A vector's id is its embedding's id and its number among that embedding's vectors. So a reader takes the vectors
 * since its last look in one stretch.
 */
export const embeddings = `
ALTER TABLE message_terms ADD COLUMN traits INTEGER NOT NULL DEFAULT 0;

CREATE TABLE embedding_model (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  quantisation TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (name, dimension, quantisation)
) STRICT;

CREATE TABLE embedding (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  partition_id INTEGER NOT NULL,
  model_id INTEGER NOT NULL,
  vector_seq INTEGER NOT NULL,
  seen_seq INTEGER NOT NULL,
  done TEXT NOT NULL,
  claimed_at INTEGER NOT NULL,
  lease_holder TEXT,
  lease_until INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  reason TEXT,
  UNIQUE (partition_id, model_id)
) STRICT;

CREATE TABLE message_code (
  id INTEGER PRIMARY KEY,
  ord INTEGER NOT NULL,
  scale REAL NOT NULL,
  body BLOB NOT NULL
) STRICT;

CREATE TABLE message_vector (
  id INTEGER PRIMARY KEY,
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  passage INTEGER NOT NULL,
  begins INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;

CREATE INDEX message_vector_message ON message_vector (partition_id, ord);
CREATE INDEX message_vector_refused ON message_vector (partition_id) WHERE length(body) = 0;
`
