/**
 * Traits of a statement: one person says it of another, it holds for a while only, and it was compared with the earlier
 * ones. Then the earlier statements that a later one ends in other words.
 */
export const asides = `
ALTER TABLE assertion ADD COLUMN of_other INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assertion ADD COLUMN passing INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assertion ADD COLUMN compared INTEGER NOT NULL DEFAULT 1;
CREATE INDEX assertion_fresh ON assertion (partition_id, ord) WHERE compared = 0;

CREATE TABLE assertion_end (
  partition_id INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  PRIMARY KEY (partition_id, ended, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX assertion_end_by ON assertion_end (partition_id, ord);
`
