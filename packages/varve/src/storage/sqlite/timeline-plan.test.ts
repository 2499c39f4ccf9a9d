import { expect, test } from 'vitest'
import { compile } from '../compile-statement.ts'
import { timelinePlaces } from '../log/timeline.ts'
import { bind } from '../statement.ts'
import { migrate } from './migrate.ts'
import { openConnection } from './open-connection.ts'

// A bound that the plan does not name is compared row by row, so that the last pages of a long talk read all of it.
test.each([
  ['newest', '(partition_id=? AND said_at>? AND (said_at,ord)<(?,?))'],
  ['oldest', '(partition_id=? AND (said_at,ord)>(?,?) AND said_at<?)'],
] as const)('a page of the timeline, %s first, reads its rows of the index alone', (order, bounds) => {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const range = { from: 0, to: 9, after: { at: 5, key: 1 }, order, session: undefined, excludeSession: undefined }
  const { value } = timelinePlaces(1, range, 9).next([])
  const steps = Array.isArray(value) || !('query' in value) ? [] : [value]
  const plans = steps.map(({ query, params }) => {
    const compiled = compile(query)
    return connection.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${compiled.sql}`).all(...bind(compiled, params))
  })
  expect(plans.map((lines) => lines.map(({ detail }) => detail))).toEqual([[`SEARCH message USING COVERING INDEX message_said ${bounds}`]])
  connection.close()
})
