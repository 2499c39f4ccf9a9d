import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrations } from './migrations/all.ts'
import { newestSchema } from './newest-schema.ts'

/** Returns the statement that makes each table and index, as SQLite keeps it. */
function madeBy(statements: readonly string[]): string[] {
  const connection = new Database(':memory:')
  for (const sql of statements) connection.exec(sql)
  const made = connection
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY rowid")
    .pluck()
    .all()
  connection.close()
  return made
}

test('a new store has what the migrations make of an empty one', async () => {
  const made = madeBy(migrations.map(({ sql }) => sql))
  const text = made.map((sql) => `${sql};\n`).join('')
  // `npx vitest run newest-schema --update` writes it anew.
  await expect(
    `/** What a new store is made of: all that the migrations leave, written by the test beside this. */\nexport const ` +
      `newestSchema = \`\n${text}\`\n`,
  ).toMatchFileSnapshot('newest-schema.ts')
  expect(madeBy([newestSchema])).toEqual(made)
})
