/**
 * Keyed hashes of the external ids of forgotten messages, so that a second import does not bring them back. `owner` is a
 * keyed hash too: it outlasts the partition's row. `ord` counts the ids of an owner, the oldest first.
 *
 * The index finds what a partition's other sessions were shown lately, without a look at all contexts.
 */
export const forgottenIds = `
CREATE TABLE forgotten_id (
  owner BLOB NOT NULL,
  ord INTEGER NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (owner, ord)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX forgotten_id_digest ON forgotten_id (owner, digest);
CREATE INDEX context_record_newest ON context_record (partition_id, id, session);
`
