/** The table of the option varve_vectors=pgvector. Without the option it is not made. */
export const farTable = 'far_vector'

/**
 * The settings of a session that searches: the candidates that a walk through the index keeps, and that it goes on until
 * enough of them pass the filters (github.com/pgvector/pgvector, "Iterative Index Scans").
 */
export const farSettings = [
  ['hnsw.ef_search', '200'],
  ['hnsw.iterative_scan', 'strict_order'],
] as const

/** The most partitions with an index of their own. A server opens all indexes of a table to plan a query or to write a row. */
export const mostFarIndexes = 64
