/** The first 16 bytes of an SQLite database (sqlite.org, file format 1.3.1). */
const sqliteMagic = Buffer.from('SQLite format 3\0', 'latin1')

/** Tells an SQLite database by its first bytes. */
export function isSqlite(head: Uint8Array): boolean {
  return Buffer.from(head.buffer, head.byteOffset, head.byteLength).subarray(0, sqliteMagic.length).equals(sqliteMagic)
}
