import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { type Memory, openMemory } from '../packages/varve/src/index.ts'
import { newKeyText } from '../packages/varve/src/keys/key-text.ts'
import { serveMemory } from '../packages/varve/src/server/serve-memory.ts'
import { areaUnder } from './absent/logistic.ts'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { withScratch } from './shared/scratch.ts'
import { median, percentile } from './shared/statistics.ts'
import { figure, table } from './shared/table.ts'

const about = `Whether the time of a refusal tells what exists. Pairs of requests that are refused alike, one about something that exists
and one about something that does not, by turns on one connection of loopback, from the server's own process. AUC: the chance that
one about something that exists takes longer; .5 is none.`

const options = readArguments('timing', about, { requests: { value: 'n', text: 'of each kind.', default: '5000' } })
const requests = wholeNumber('requests', options.requests, 10, 1_000_000)

interface Asked {
  readonly key: string
  readonly path: string
  readonly body?: object
}

/** Two requests that are refused alike. */
interface Pair {
  readonly what: string
  readonly status: number
  readonly exists: Asked
  readonly doesNot: Asked
}

/** The requests of each kind that are sent before any is timed. */
const warming = 200

await withScratch('', async (folder) => {
  await using memory = await openMemory({
    ...{ store: join(folder, 'varve.db'), upkeep: 'manual', isolation: 'silent', embeddingModel: false },
  })
  const most = 1_000_000_000
  const server = await serveMemory(memory, { port: 0, log: 'silent', limits: { perMinute: most, failures: most } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const rows: string[][] = []
  for (const pair of await pairsIn(memory)) rows.push(await compared(server.url, agent, pair))
  const where = setting()
  console.log(`${settingLine(where)}, ${requests} of each\n`)
  console.log(table(['about', 'status', 'exists: p50 ms', 'p10', 'does not: p50 ms', 'p10', 'AUC'], rows))
  writeResults('timing', { setting: where, options, rows })
  agent.destroy()
  await server.close()
})

async function compared(url: string, agent: Agent, { what, status, exists, doesNot }: Pair): Promise<string[]> {
  const times: { readonly exists: number[]; readonly doesNot: number[] } = { exists: [], doesNot: [] }
  for (let at = -warming; at < requests; at += 1) {
    // Each is the first of its turn as often as the other.
    const turn = at % 2 === 0 ? (['exists', 'doesNot'] as const) : (['doesNot', 'exists'] as const)
    for (const which of turn) {
      const taken = await timed(url, agent, which === 'exists' ? exists : doesNot, status)
      if (at >= 0) times[which].push(taken)
    }
  }
  const told = [times.exists, times.doesNot].flatMap((one) => [figure(median(one)), figure(percentile(one, 0.1))])
  return [what, String(status), ...told, figure(areaUnder(times.exists, times.doesNot))]
}

async function timed(url: string, agent: Agent, { key, path, body }: Asked, status: number): Promise<number> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const typed = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(text.length) }
  const began = performance.now()
  const got = await new Promise<number | undefined>((resolve, reject) => {
    const sent = { agent, method: body === undefined ? 'GET' : 'POST', headers: { authorization: `Bearer ${key}`, ...typed } }
    request(url + path, sent, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
      .on('error', reject)
      .end(text)
  })
  if (got !== status) stop(`${path} gave ${got}, and ${status} was meant`)
  return performance.now() - began
}

/** Two projects, of which a caller reaches one user of one. */
async function pairsIn(memory: Memory): Promise<readonly Pair[]> {
  const bob = memory.for({ project: 'pier', user: 'bob' })
  const eve = memory.for({ project: 'quay', user: 'eve' })
  const said = { role: 'user', content: 'The kiosk opens on the 16th.' } as const
  await memory.for({ project: 'pier', user: 'ada' }).append('talk', said)
  const { messages: bobsMessages } = await bob.append('talk', said)
  const { messages: evesMessages } = await eve.append('talk', said)
  const contexts = await Promise.all([bob, eve].map((one) => one.context({ query: 'the kiosk', maxTokens: 200 })))
  const { key, id } = await memory.keys.create({ project: 'pier', user: 'ada', access: 'write' })
  const own = '/v1/projects/pier/users/ada'
  const replaced = (message: string): Asked => ({ key, path: `${own}/messages/replace`, body: { id: message, content: 'x' } })
  const context = (of: string): Asked => ({ key, path: `${own}/contexts/${of}` })
  const profile = (project: string, user: string): Asked => ({ key, path: `/v1/projects/${project}/users/${user}/profile` })
  const unknown = randomUUID()
  const [bobs, eves] = [bobsMessages[0]?.id ?? '', evesMessages[0]?.id ?? '']
  return [
    { what: 'a message of another user', status: 404, exists: replaced(bobs), doesNot: replaced(neverMade(bobs)) },
    { what: 'a message of another project', status: 404, exists: replaced(eves), doesNot: replaced(neverMade(eves)) },
    { what: 'a context of another user', status: 404, exists: context(contexts[0]?.id ?? ''), doesNot: context(unknown) },
    { what: 'a context of another project', status: 404, exists: context(contexts[1]?.id ?? ''), doesNot: context(unknown) },
    { what: 'another user', status: 403, exists: profile('pier', 'bob'), doesNot: profile('pier', 'nob') },
    { what: 'another project', status: 403, exists: profile('quay', 'eve'), doesNot: profile('quag', 'eve') },
    {
      ...{ what: 'the id of a key', status: 401 },
      exists: { key: newKeyText(id), path: `${own}/profile` },
      doesNot: { key: newKeyText(unknown), path: `${own}/profile` },
    },
  ]
}

/** Gives an id as of another time. It names the same place of a partition, as any guessed id may. */
function neverMade(id: string): string {
  return `${id.slice(0, 2)}${id[2] === '0' ? '1' : '0'}${id.slice(3)}`
}
