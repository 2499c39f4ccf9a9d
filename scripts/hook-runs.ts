// Runs the built hooks on a store of its own, and tells which modules they loaded.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { openMemory as OpenMemoryOf } from '../packages/varve/src/memory/memory.ts'

const places = ['pier', 'harbour', 'lock', 'ferry', 'quay', 'lighthouse', 'slipway', 'dry dock']
const things = ['tide gauge', 'winch', 'rope', 'buoy', 'lamp', 'bilge pump', 'ticket machine', 'anchor']

/** Prompts of several kinds: a name, dates, another language, one that nothing answers, an order, and a long one. */
const prompts = [
  'Where did we put the tide gauge of the harbour?',
  'What did Nilo say about the ferry last Thursday?',
  'Welche Farbe hat die Boje am Pier, und was war am 3. März?',
  'Which instrument measures the ozone over Antarctica?',
  'In which order did we move the winch and the rope, and who was there first?',
  `The winch at the slipway has made a noise since last Monday, at 7 PM, and I am not sure if <Winch> or [rope] is to blame: can you help me
to find out what we did about it in May, and whether a new one is realistic? ${'It must be quiet by the end of the month. '.repeat(6)}`,
]

/** Texts with markup, code and invisible characters, and one so long that only parts of it are shown. */
const oddTexts = [
  'The winch\u200b is <b>loud</b>:\r\n```ts\nconst noise: Array<number> = [1]\n```\n| part | state |\n|---|---|\n| rope | [INST] old |',
  `About the winch of the slipway. ${things
    .map((thing) => `Beside the ${thing} it is loud, and I prefer it quiet.`)
    .join(' ')
    .repeat(12)}`,
  '{"winch":{"noise":true}} <memory mark="0000000000000000">The winch</memory> and <|im_start|>system',
]

/** Gives the code to put at the end of a module, so that `hookRuns` learns that it was loaded. */
export function tellsThatLoaded(path: string): string {
  return `\n;globalThis.loadedModules?.push(${JSON.stringify(path)});`
}

/** Runs each hook of `dist`. Returns the paths of the modules with `tellsThatLoaded` that any run loaded. */
export async function hookRuns(dist: string): Promise<ReadonlySet<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-hook-runs-'))
  try {
    const transcript = join(folder, 'now.jsonl')
    writeFileSync(transcript, transcriptOf(12))
    writeFileSync(
      join(folder, 'listen.mjs'),
      "import { appendFileSync } from 'node:fs'\n" +
        'globalThis.loadedModules = []\n' +
        "process.on('exit', () => appendFileSync('loaded', globalThis.loadedModules.map((path) => `${path}\\n`).join('')))\n",
    )
    await fill(dist, join(folder, 'varve.db'))
    const events = [
      ...['startup', 'compact'].map((source) => ({ hook_event_name: 'SessionStart', source })),
      ...prompts.map((prompt) => ({ hook_event_name: 'UserPromptSubmit', prompt, source: 'user' })),
      { hook_event_name: 'Stop', stop_hook_active: false },
      { hook_event_name: 'PreCompact', trigger: 'auto' },
      { hook_event_name: 'SessionEnd', reason: 'clear' },
    ]
    for (const event of events) run(dist, folder, { session_id: 'now', transcript_path: transcript, cwd: folder, ...event })
    return new Set(readFileSync(join(folder, 'loaded'), 'utf8').split('\n'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a store that holds something of every kind that a hook may tell. */
async function fill(dist: string, store: string): Promise<void> {
  const { openMemory }: { openMemory: typeof OpenMemoryOf } = await import(pathToFileURL(join(dist, 'index.js')).href)
  const quiet = { embeddingModel: false, languageModel: false, isolation: 'silent', upkeep: 'manual' } as const
  const memory = await openMemory({ store, engine: 'inline', ...quiet })
  const [ada, ben] = ['ada', 'ben'].map((user) => memory.for({ project: 'harbour', user }))
  for (let session = 0; session < 10; session += 1)
    await (session % 5 === 0 ? ben : ada)?.append(
      `session-${session}`,
      Array.from({ length: 12 }, (_, turn) => {
        const [thing, place] = [things[(session + turn) % 8], places[(session * 3 + turn) % 8]]
        return {
          ...(turn % 2 === 0 ? { role: 'user' as const, name: 'Nilo' } : { role: 'assistant' as const }),
          content: `We put the ${thing} ${session} beside the ${place} on the ${turn + 1}th.`,
          at: Date.UTC(2025, session % 12, 1 + turn, 9),
        }
      }),
    )
  for (const content of oddTexts)
    await ada?.append('odd', [
      { role: 'user', content },
      { role: 'assistant', content },
    ])
  await ada?.facts.add({ subject: 'Nilo', predicate: 'job', object: 'captain of the ferry' })
  await ada?.instructions.add('Give depths in metres.')
  await ada?.blocks.set('now', 'Nilo repairs the tide gauge.')
  await memory.upkeep.run({ maxSeconds: 60 })
  await memory.close()
}

function transcriptOf(lines: number): string {
  const line = (place: number): string => {
    const text = `We moved the ${things[place % 8]} to the ${places[place % 8]}.`
    return JSON.stringify({
      ...{ type: place % 2 === 0 ? 'user' : 'assistant', uuid: `line-${place}`, parentUuid: place === 0 ? null : `line-${place - 1}` },
      ...{ sessionId: 'now', timestamp: new Date(Date.UTC(2025, 6, 8) + place * 1_000).toISOString() },
      message: { content: place % 2 === 0 ? text : [{ type: 'text', text }] },
    })
  }
  return `${Array.from({ length: lines }, (_, place) => line(place)).join('\n')}\n`
}

function run(dist: string, folder: string, event: object): void {
  const whose = ['--store', join(folder, 'varve.db'), '--project', 'harbour', '--user', 'ada']
  const hook = ['hook', 'claude-code', ...whose, '--deadline-ms', '60000', '--no-upkeep']
  const { stderr, status } = spawnSync(process.execPath, ['--import', './listen.mjs', join(dist, 'cli', 'main.js'), ...hook], {
    ...{ cwd: folder, input: JSON.stringify(event), encoding: 'utf8' },
    env: { HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1', VARVE_HOOK_DEBUG: '1' },
  })
  const failed = stderr.replaceAll(/^varve hook: NOTHING_TO_TELL$/gm, '').trim()
  if (status !== 0 || failed !== '') throw new RangeError(`the hook of ${JSON.stringify(event)} ended with ${status}: ${failed}`)
}
