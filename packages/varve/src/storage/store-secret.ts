import { lost } from './lost.ts'
import { first, type Program } from './program.ts'
import { statement } from './statement.ts'

const selectSecret = statement<object>()((db) => db.selectFrom('meta').select('value').where('key', '=', 'store_key'))

/** Returns the store's secret, made with it. It never leaves the store's own threads. */
export function* storeSecret(): Program<string> {
  const row = yield* first(selectSecret, {})
  if (row === undefined) throw lost('store key')
  return row.value
}
