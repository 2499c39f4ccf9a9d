/**
 * The log of upkeep: a row for each project that a run worked for, with counts and reasons, and no word of a user. The
 * ledger gets the run that made a request, and the provider's count of cached tokens: null where it tells none.
 */
export const books = `
CREATE TABLE upkeep_run (
  id INTEGER PRIMARY KEY,
  run BLOB NOT NULL,
  project_id INTEGER NOT NULL,
  began_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  asked INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  work TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX upkeep_run_project ON upkeep_run (run, project_id);
CREATE INDEX upkeep_run_of_project ON upkeep_run (project_id, id);

ALTER TABLE ledger ADD COLUMN run BLOB;
ALTER TABLE ledger ADD COLUMN cache_read_tokens INTEGER;
ALTER TABLE ledger ADD COLUMN cache_write_tokens INTEGER;
CREATE INDEX ledger_run ON ledger (run) WHERE run IS NOT NULL;
`
