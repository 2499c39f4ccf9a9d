import { percentile } from '../../shared/statistics.ts'
import { type Cost, measuring } from '../../shared/usage.ts'
import { openServer, schemaOf } from '../../server/server.ts'

const warmUp = 200
const commits = 1_000
/** As long as a message of talk. */
const body = 'x'.repeat(124)

/**
 * Returns the cost of a server's own commit: one row by the same driver, in a transaction of its own. It is the least
 * cost of an append over a network (time at the median, CPU on average).
 */
export async function commitCost(address: string): Promise<Cost> {
  await using server = await openServer(address)
  const table = `"${schemaOf(address)}".bench_row`
  await server.rows(`create table if not exists ${table} (id bigint generated always as identity primary key, body text not null)`)
  const insert = `insert into ${table} (body) values ($1)`
  for (let commit = 0; commit < warmUp; commit += 1) await server.rows(insert, [body], 'bench_row')
  const taken: number[] = []
  const cost = measuring()
  for (let commit = 0; commit < commits; commit += 1) {
    const begun = performance.now()
    await server.rows(insert, [body], 'bench_row')
    taken.push(performance.now() - begun)
  }
  const { cpuMs } = cost()
  await server.rows(`drop table ${table}`)
  return { wallMs: percentile(taken, 0.5), cpuMs: cpuMs / commits }
}
