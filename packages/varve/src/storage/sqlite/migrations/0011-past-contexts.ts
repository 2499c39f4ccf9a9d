/**
 * What a context needs to be shown again: ids, revisions, scores and keyed hashes, no words. The index lists those of a
 * partition.
 */
export const shownRecords = `
ALTER TABLE context_record ADD COLUMN shown TEXT;
CREATE INDEX context_record_shown ON context_record (partition_id, id) WHERE shown IS NOT NULL;
`
