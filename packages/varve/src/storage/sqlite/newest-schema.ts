/** What a new store is made of: all that the migrations leave, written by the test beside this. */
export const newestSchema = `
CREATE TABLE project (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL,
  created_at INTEGER NOT NULL
, layers_set INTEGER NOT NULL DEFAULT 0, layers_on INTEGER NOT NULL DEFAULT 0, sharing_since INTEGER, answers_since INTEGER, answers_by TEXT) STRICT;
CREATE TABLE partition (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project (id),
  owner_kind INTEGER NOT NULL,
  owner TEXT NOT NULL,
  seq INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  term_bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL, share INTEGER NOT NULL DEFAULT 1, distilled_at INTEGER NOT NULL DEFAULT 0,
  UNIQUE (project_id, owner_kind, owner)
) STRICT;
CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  partition_id INTEGER NOT NULL REFERENCES partition (id),
  external_id TEXT NOT NULL,
  name TEXT,
  share INTEGER NOT NULL,
  metadata TEXT,
  language TEXT NOT NULL,
  language_votes TEXT NOT NULL,
  seq INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  first_said_at INTEGER,
  last_said_at INTEGER,
  last_recorded_at INTEGER NOT NULL, read_seq INTEGER NOT NULL DEFAULT 0, read_epoch INTEGER NOT NULL DEFAULT 0, read_layers INTEGER NOT NULL DEFAULT 0, provisional INTEGER NOT NULL DEFAULT 0, layers_set INTEGER NOT NULL DEFAULT 0, layers_on INTEGER NOT NULL DEFAULT 0, main_tokens INTEGER NOT NULL DEFAULT 0, main_calls INTEGER NOT NULL DEFAULT 0, main_pause INTEGER NOT NULL DEFAULT 0, shared_from INTEGER NOT NULL DEFAULT 0,
  UNIQUE (partition_id, external_id)
) STRICT;
CREATE TABLE message_moved (
  partition_id INTEGER NOT NULL,
  uuid BLOB NOT NULL,
  ord INTEGER NOT NULL,
  PRIMARY KEY (partition_id, uuid)
) STRICT, WITHOUT ROWID;
CREATE TABLE tombstone (
  partition_id INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  PRIMARY KEY (partition_id, epoch, ord)
) STRICT, WITHOUT ROWID;
CREATE TABLE context_record (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL UNIQUE,
  partition_id INTEGER NOT NULL,
  session TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  items TEXT NOT NULL,
  shingles BLOB NOT NULL
, shown TEXT) STRICT;
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
, erased TEXT, signatures TEXT) STRICT;
CREATE INDEX receipt_pending ON receipt (physical) WHERE physical = 'pending';
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
  provisional INTEGER NOT NULL, page_id INTEGER NOT NULL DEFAULT 0,
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
, run BLOB, cache_read_tokens INTEGER, cache_write_tokens INTEGER) STRICT;
CREATE INDEX ledger_day ON ledger (project_id, began_at);
CREATE TABLE assertion (
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  fact BLOB NOT NULL,
  says INTEGER NOT NULL,
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  predicate_key TEXT NOT NULL,
  object_key TEXT NOT NULL,
  instead_key TEXT,
  valid_from INTEGER,
  valid_until INTEGER,
  said_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  withdrawn_at INTEGER,
  confidence REAL NOT NULL,
  single INTEGER NOT NULL,
  phrase TEXT,
  when_from INTEGER,
  when_to INTEGER,
  depends_on TEXT NOT NULL,
  writer TEXT NOT NULL,
  session_id INTEGER NOT NULL, of_other INTEGER NOT NULL DEFAULT 0, passing INTEGER NOT NULL DEFAULT 0, compared INTEGER NOT NULL DEFAULT 1, noted_in INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (partition_id, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX assertion_subject ON assertion (partition_id, subject_key);
CREATE INDEX assertion_slot ON assertion (partition_id, subject_key, predicate_key);
CREATE INDEX assertion_statement ON assertion (partition_id, subject_key, predicate_key, object_key);
CREATE INDEX assertion_object ON assertion (partition_id, object_key);
CREATE INDEX assertion_predicate ON assertion (partition_id, predicate_key);
CREATE INDEX assertion_single ON assertion (partition_id, subject_key, predicate_key) WHERE single = 1;
CREATE INDEX assertion_instead ON assertion (partition_id, subject_key, predicate_key, instead_key) WHERE instead_key IS NOT NULL;
CREATE INDEX assertion_fact ON assertion (fact);
CREATE INDEX assertion_session ON assertion (session_id) WHERE session_id > 0;
CREATE TABLE assertion_source (
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  starts INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  PRIMARY KEY (partition_id, ord, session_id, seq, starts)
) STRICT, WITHOUT ROWID;
CREATE INDEX assertion_source_message ON assertion_source (session_id, seq);
CREATE TABLE entity (
  partition_id INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  entity_key TEXT NOT NULL,
  PRIMARY KEY (partition_id, name_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE block (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL,
  partition_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  place INTEGER NOT NULL,
  max_chars INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (partition_id, session_id, name)
) STRICT;
CREATE UNIQUE INDEX block_id ON block (uuid);
CREATE INDEX session_recorded ON session (last_recorded_at);
CREATE INDEX session_switched ON session (partition_id) WHERE layers_on > 0;
CREATE TABLE page (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL,
  partition_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  max_chars INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  description TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  noted_seq INTEGER NOT NULL,
  noted_tokens INTEGER NOT NULL,
  noted_calls INTEGER NOT NULL,
  indexed INTEGER NOT NULL,
  UNIQUE (partition_id, kind, session_id, name_key)
) STRICT;
CREATE UNIQUE INDEX page_uuid ON page (uuid);
CREATE INDEX page_unindexed ON page (id) WHERE indexed = 0;
CREATE INDEX page_session ON page (session_id) WHERE session_id > 0;
CREATE TABLE page_source (
  session_id INTEGER NOT NULL,
  page_id INTEGER NOT NULL,
  PRIMARY KEY (session_id, page_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_source_page ON page_source (page_id);
CREATE TABLE page_fact (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  partition_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  also TEXT NOT NULL,
  subject TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  fact TEXT NOT NULL,
  said_at INTEGER NOT NULL,
  writer TEXT NOT NULL,
  page_id INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX page_fact_session ON page_fact (session_id, seq);
CREATE INDEX page_fact_subject ON page_fact (partition_id, subject_key);
CREATE INDEX page_fact_pending ON page_fact (partition_id) WHERE page_id = 0;
CREATE INDEX page_fact_page ON page_fact (page_id) WHERE page_id > 0;
CREATE INDEX item_page ON item (page_id) WHERE page_id > 0;
CREATE TABLE message (
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  uuid BLOB NOT NULL,
  said_at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  role TEXT NOT NULL,
  origin TEXT NOT NULL,
  external_id TEXT,
  name TEXT,
  thread TEXT,
  recalled TEXT,
  metadata TEXT,
  parts TEXT,
  content TEXT NOT NULL,
  PRIMARY KEY (partition_id, ord)
) STRICT;
CREATE UNIQUE INDEX message_place ON message (session_id, seq);
CREATE UNIQUE INDEX message_external_id ON message (session_id, external_id) WHERE external_id IS NOT NULL;
CREATE TABLE message_terms (
  partition_id INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  said_at INTEGER NOT NULL,
  traits INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (partition_id, ord)
) STRICT;
CREATE TABLE page_revision (
  page_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  described_by INTEGER NOT NULL,
  writer TEXT NOT NULL,
  written_at INTEGER NOT NULL,
  read_from INTEGER NOT NULL,
  description TEXT NOT NULL,
  spans TEXT NOT NULL,
  authors TEXT NOT NULL,
  content TEXT,
  PRIMARY KEY (page_id, revision)
) STRICT;
CREATE TABLE block_revision (
  block_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  writer TEXT NOT NULL,
  written_at INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (block_id, revision)
) STRICT;
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
, noted_in INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX instruction_said ON instruction (partition_id, said_at) WHERE session_id > 0;
CREATE INDEX instruction_hand ON instruction (partition_id, said_at) WHERE session_id = 0;
CREATE INDEX instruction_message ON instruction (session_id, seq) WHERE session_id > 0;
CREATE INDEX assertion_fresh ON assertion (partition_id, ord) WHERE compared = 0;
CREATE TABLE assertion_end (
  partition_id INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  ord INTEGER NOT NULL,
  PRIMARY KEY (partition_id, ended, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX assertion_end_by ON assertion_end (partition_id, ord);
CREATE TABLE forgotten_id (
  owner BLOB NOT NULL,
  ord INTEGER NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (owner, ord)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX forgotten_id_digest ON forgotten_id (owner, digest);
CREATE INDEX context_record_newest ON context_record (partition_id, id, session);
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
CREATE INDEX ledger_run ON ledger (run) WHERE run IS NOT NULL;
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
CREATE TABLE import (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid BLOB NOT NULL UNIQUE,
  partition_id INTEGER NOT NULL,
  bundle BLOB NOT NULL,
  header TEXT NOT NULL,
  state INTEGER NOT NULL,
  trust INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  applied INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  counts TEXT NOT NULL
) STRICT;
CREATE INDEX import_partition ON import (partition_id, id);
CREATE TABLE import_lines (
  import_id INTEGER NOT NULL,
  first INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (import_id, first)
) STRICT;
CREATE TABLE import_place (
  import_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  theirs INTEGER NOT NULL,
  ours INTEGER NOT NULL,
  PRIMARY KEY (import_id, kind, theirs)
) STRICT, WITHOUT ROWID;
CREATE TABLE receipt_owner (
  receipt BLOB NOT NULL PRIMARY KEY,
  owner BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_owner_owner ON receipt_owner (owner, receipt);
CREATE TABLE forgotten_key (
  owner BLOB NOT NULL,
  secret BLOB NOT NULL,
  up_to INTEGER NOT NULL,
  PRIMARY KEY (owner, secret)
) STRICT, WITHOUT ROWID;
CREATE INDEX assertion_noted_in ON assertion (noted_in) WHERE noted_in > 0;
CREATE INDEX instruction_noted_in ON instruction (noted_in) WHERE noted_in > 0;
CREATE INDEX assertion_note ON assertion (partition_id, ord) WHERE of_other = 3;
CREATE INDEX context_record_shown ON context_record (partition_id, id) WHERE shown IS NOT NULL;
CREATE INDEX message_said ON message (partition_id, said_at, ord, session_id);
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
