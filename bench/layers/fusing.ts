import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../../packages/varve/src/index.ts'
import { loadTokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { ManualClock, type ScriptedRequest, scriptedModelServer } from '../../packages/varve/src/testing/index.ts'

/** The requests of one running session, by their kind. */
export interface SessionCost {
  readonly messages: number
  /** Input tokens a message of the requests that read it, and of those that fuse its parts. */
  readonly spanTokens: number
  readonly fuseTokens: number
  /** Requests of both kinds for twenty messages. */
  readonly callsPerTwenty: number
}

/** New messages of a turn of upkeep. */
const perRun = 20
const minute = 60_000
/** The pause after which a session is settled. */
const pause = 11 * minute

const words = (place: number): string =>
  `The ${['ferry', 'barge', 'tug', 'dinghy', 'trawler'][place % 5]} number ${place} was moved to pier ${place % 17} and costs ${
    place % 90
  } crates of apples until the rudder is mended.`

/** Answers with eight sentences of the data, so that parts are as long as a model makes them. */
function copied({ prompt, schema }: ScriptedRequest): { object: unknown } {
  const numbers = [...prompt.matchAll(/^\[(\d+)\]/gm)].map(([, number]) => Number(number))
  const items = numbers.slice(-8).map((number) => ({ from: [number], text: wordsIn(prompt, number) }))
  return { object: Object.fromEntries(Object.keys(schema?.['properties'] ?? {}).map((key) => [key, key === 'gist' ? items : []])) }
}

function wordsIn(prompt: string, number: number): string {
  const line = prompt.split('\n').find((one) => one.startsWith(`[${number}]`)) ?? ''
  return line.slice(line.indexOf('The '))
}

/** Writes a session message by message, with upkeep after each twenty; `settles` leaves a pause after each as well. */
export async function sessionCost(messages: number, settles: boolean): Promise<SessionCost> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-fusing-'))
  const tokenizer = await loadTokenizer()
  const counts = { span: 0, fuse: 0, calls: 0 }
  await using server = await scriptedModelServer((request) => {
    const size = tokenizer.count(request.instructions) + tokenizer.count(request.prompt) + tokenizer.count(JSON.stringify(request.schema))
    counts[request.schemaName === 'varve_fuse' ? 'fuse' : 'span'] += size
    counts.calls += 1
    return copied(request)
  })
  const clock = new ManualClock()
  Object.assign(process.env, { VARVE_MODEL_URL: server.url, VARVE_MODEL: 'scripted' })
  const memory = await openMemory({
    store: join(folder, 'varve.db'),
    clock,
    upkeep: 'manual',
    embeddingModel: false,
    modelWindow: 32_768,
    layers: { gists: true, facts: true },
  })
  const ada = memory.for('ada')
  for (let at = 0; at < messages; at += perRun) {
    for (let place = at; place < at + perRun; place += 1) {
      await ada.append('talk', { role: 'user', name: 'Ada', content: words(place) })
      clock.advance(5_000)
    }
    if (settles) clock.advance(pause)
    await memory.upkeep.run()
  }
  clock.advance(pause)
  await memory.upkeep.run()
  const gist = await ada.gists.get('talk')
  if (gist?.provisional !== false) throw new TypeError('the gist is provisional in the end')
  await memory.close()
  rmSync(folder, { recursive: true })
  return {
    messages,
    spanTokens: counts.span / messages,
    fuseTokens: counts.fuse / messages,
    callsPerTwenty: (counts.calls / messages) * 20,
  }
}
