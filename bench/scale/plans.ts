import { openMemory } from '../../packages/varve/src/index.ts'
import { DelayingProxy } from '../server/delaying-proxy.ts'
import { openServer, schemaOf, type Server, through } from '../server/server.ts'
import { type ScaleStore, scaleUser } from './tasks.ts'

/** What the server does for one recall, beside reading rows. */
export interface Planned {
  readonly partitions: number
  readonly statements: number
  /** The time to plan all of them once, each at its best of some tries. */
  readonly planningMs: number
  /** The most locks that one transaction of a recall holds at its end. */
  readonly locks: number
}

const tries = 5

/** Watches recalls of some users from the side of the server. */
export async function plansOfRecall({ place, users }: ScaleStore): Promise<Planned> {
  await using server = await openServer(place)
  const texts = new Set<string>()
  let locks = 0
  let isWatching = false
  await using proxy = await DelayingProxy.start(place, {
    delayMs: 0,
    onText: (text) => void (isWatching && isQuery(text) && texts.add(text)),
    beforeCommit: async (port) => {
      if (isWatching) locks = Math.max(locks, await locksOf(server, port))
    },
  })
  {
    await using memory = await openMemory({
      ...{ store: through(place, proxy.port), upkeep: 'manual', isolation: 'silent', embeddingModel: false },
    })
    isWatching = true
    for (const user of [0, users - 1, Math.floor(users / 2)])
      await memory.for(scaleUser(user)).recall('what did they say about it and when', { minConfidence: 0 })
  }
  await server.rows(`set search_path = "${schemaOf(place)}"`)
  let planningMs = 0
  for (const text of texts) planningMs += await planningTime(server, text)
  const partitions = await server.number('count', 'select count(*)::int as count from partition')
  return { partitions, statements: texts.size, planningMs, locks }
}

/** A statement with rows of the store, not one that begins or ends a transaction. */
function isQuery(text: string): boolean {
  return /^\s*select\b/i.test(text) && /\bfrom\b/i.test(text)
}

async function locksOf(server: Server, port: number): Promise<number> {
  return server.number(
    'count',
    'select count(*)::int as count from pg_locks where pid in (select pid from pg_stat_activity where client_port = $1)',
    [port],
  )
}

/** The server's own word, with each parameter null: only plans are made. */
async function planningTime(server: Server, text: string): Promise<number> {
  await server.rows(`prepare bench_plan as ${text}`)
  const [row] = await server.rows("select array_length(parameter_types, 1) as count from pg_prepared_statements where name = 'bench_plan'")
  const nulls = Array.from({ length: Number(row?.['count'] ?? 0) }, () => 'null').join(', ')
  await server.rows('set plan_cache_mode = force_custom_plan')
  const taken: number[] = []
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const lines = await server.rows(`explain (summary, format text) execute bench_plan${nulls === '' ? '' : `(${nulls})`}`)
    const told = lines
      .map((line) => /^Planning Time: ([\d.]+) ms$/.exec(String(line['QUERY PLAN']))?.[1])
      .find((time) => time !== undefined)
    taken.push(Number(told))
  }
  await server.rows('deallocate bench_plan')
  return Math.min(...taken)
}
