/**
 * The tables that hold rows of a partition. Their keys and indexes begin with `partition_id`, and every query names it: so
 * they can be hash-partitioned on one server, and distributed over many.
 */
export const distributedTables = [
  'session',
  'message',
  'message_moved',
  'message_terms',
  'tombstone',
  'context_record',
  'embedding',
  'message_code',
  'message_vector',
  'part',
  'item',
  'assertion',
  'assertion_source',
  'assertion_end',
  'entity',
  'instruction',
  'block',
  'block_revision',
  'page',
  'page_revision',
  'page_source',
  'page_fact',
  'deed',
  'deed_text',
  'deed_source',
  'import',
  'import_lines',
  'import_place',
  'append_key',
] as const

/**
 * The tables that stay whole, and why: each is read across partitions, or by a project or the store. On many servers they
 * stand on each one (reference tables).
 */
export const wholeTables = {
  meta: 'of the store',
  schema_migration: 'of the store',
  project: 'of the store',
  partition: 'looked up by its project and its owner: its own number is not known yet',
  embedding_model: 'of the store',
  work: 'a row for each lease and each failure: looked through for due work of all partitions',
  ledger: 'of a project',
  upkeep_run: 'of a project',
  journal: 'of a project, in the order of storing',
  audit: 'of a project; kept when a partition goes',
  api_key: 'of the store',
  receipt: 'kept when its partition goes',
  receipt_owner: 'kept when its partition goes',
  forgotten_id: 'kept when its partition goes, under a hash of the owner',
  forgotten_key: 'kept when its partition goes, under a hash of the owner',
} as const
