import { type Line, lineOf } from '../../shared/lines.ts'
import { median, percentile } from '../../shared/statistics.ts'
import type { Appended, CalledFarAway, Idled, Imported, Loaded, RecalledAt } from '../tasks.ts'

/** The targets of a store on a server, some of them in times of what is measured beside it. */
const targets = {
  importPerSecond: 15_000,
  appendTimesCommit: 3,
  appendPerSecondAt64: 3_000,
  recallTimesSqlite: 2,
  forgetMs: 50,
  upkeepTurns: 40,
} as const

/** The runs of one store, in their order. */
export interface Runs {
  readonly import: readonly Imported[]
  readonly append: readonly Appended[]
  readonly load: readonly Loaded[]
  readonly recall: readonly RecalledAt[]
}

/** What the lines are about: the same size on SQLite and on a server. */
export interface Beside {
  readonly name: string
  readonly messages: number
  readonly sqlite: Runs
  readonly server: Runs
}

type Figures = (runs: Runs) => readonly number[]

/** The lines of one size: each figure of SQLite, of the server, and how many times as much the server takes. */
export function besideLines({ name, messages, sqlite, server }: Beside): Line[] {
  const pair = (what: string, unit: string, pick: Figures, target?: Line['target']): Line[] => [
    lineOf(`${name}, SQLite`, what, unit, pick(sqlite)),
    lineOf(`${name}, server`, what, unit, pick(server), target),
  ]
  const rest = (runs: Runs, of: (run: Imported) => number): number[] => runs.import.map(of)
  return [
    ...pair(
      'imported, the rest',
      'messages/s',
      (runs) => rest(runs, ({ wallMs, first }) => ((messages - first.messages) * 1_000) / wallMs),
      { atLeast: targets.importPerSecond },
    ),
    ...pair('imported, the rest, CPU', 'ms/message', (runs) => rest(runs, ({ cpuMs, first }) => cpuMs / (messages - first.messages))),
    ...pair('stored', 'bytes/message', (runs) => rest(runs, ({ bytesPerMessage }) => bytesPerMessage)),
    ...appendLines(name, { sqlite, server }),
    ...pair('a cold segment, loading', 'ms', ({ load }) => load.map(({ first, again }) => first.wallMs - again.wallMs)),
    ...pair('a cold segment, loading, CPU', 'ms', ({ load }) => load.map(({ first, again }) => first.cpuMs - again.cpuMs)),
    ...pair('open', 'ms', ({ recall }) => recall.map(({ open }) => open.wallMs)),
    ...pair('recall, warm, p50', 'ms', ({ recall }) => recall.map(warmP50)),
    ...pair('recall, warm, CPU', 'ms', ({ recall }) => recall.map(({ warm }) => median(warm.map(({ cpuMs }) => cpuMs)))),
    lineOf(`${name}, server`, 'recall, warm, p50', 'times SQLite', ratios(server.recall.map(warmP50), sqlite.recall.map(warmP50)), {
      atMost: targets.recallTimesSqlite,
    }),
    ...pair('resident after recalls', 'MB', ({ recall }) => recall.map(({ residentMb }) => residentMb)),
  ]
}

function appendLines(name: string, { sqlite, server }: Pick<Beside, 'sqlite' | 'server'>): Line[] {
  const of = `${name}, server`
  const lanes = server.append[0]?.lanes ?? []
  return [
    lineOf(
      `${name}, SQLite`,
      'a page synced, p50',
      'ms',
      sqlite.append.map(({ sync }) => sync.wallMs),
    ),
    lineOf(
      of,
      'one row committed, p50',
      'ms',
      server.append.map(({ sync }) => sync.wallMs),
    ),
    lineOf(
      of,
      'one row committed, CPU',
      'ms',
      server.append.map(({ sync }) => sync.cpuMs),
    ),
    ...lanes.flatMap(({ atOnce }, lane) => laneLines(name, { atOnce, lane }, { sqlite, server })),
  ]
}

function laneLines(
  name: string,
  { atOnce, lane }: { readonly atOnce: number; readonly lane: number },
  both: Pick<Beside, 'sqlite' | 'server'>,
): Line[] {
  const what = atOnce === 1 ? 'appended one at a time' : `appended ${atOnce} at once`
  return (['sqlite', 'server'] as const).flatMap((which) => {
    const runs = both[which].append
    const at = runs.flatMap(({ lanes }) => lanes[lane] ?? [])
    const of = `${name}, ${which === 'sqlite' ? 'SQLite' : 'server'}`
    const rates = at.map(({ appends, wallMs }) => (appends * 1_000) / wallMs)
    const rate = which === 'server' && atOnce === 64 ? { atLeast: targets.appendPerSecondAt64 } : undefined
    const cpu = at.map(({ appends, cpuMs }) => cpuMs / appends)
    const lines = [lineOf(of, what, 'messages/s', rates, rate), lineOf(of, `${what}, CPU`, 'ms/message', cpu)]
    if (which === 'sqlite' || atOnce > 1) return lines
    const p50 = at.map(({ p50Ms }) => p50Ms)
    const commits = runs.map(({ sync }) => sync.wallMs)
    return [
      ...lines,
      lineOf(of, `${what}, p50`, 'ms', p50),
      lineOf(of, `${what}, p50`, 'times one row committed', ratios(p50, commits), { atMost: targets.appendTimesCommit }),
    ]
  })
}

export function farAwayLines(forgotten: CalledFarAway, keptUp: CalledFarAway, delayMs: number): Line[] {
  const of = `${delayMs} ms farther away`
  const turns = ({ calls }: Pick<CalledFarAway, 'calls'>): number[] => calls.map((call) => call.turns)
  const statements = ({ calls }: CalledFarAway): number[] => calls.map((call) => call.statements)
  const wall = ({ calls }: CalledFarAway): number[] => calls.map(({ wallMs }) => wallMs)
  return [
    lineOf(of, 'delay as it was, on average', 'ms', [forgotten.delayMs, keptUp.delayMs]),
    lineOf(of, 'a session of 24 messages forgotten', 'ms', wall(forgotten), { atMost: targets.forgetMs }),
    lineOf(of, 'a session of 24 messages forgotten', 'round trips', turns(forgotten)),
    lineOf(of, 'a session of 24 messages forgotten', 'statements', statements(forgotten)),
    lineOf(of, 'upkeep of one session of 24 messages', 'ms', wall(keptUp)),
    lineOf(of, 'upkeep of one session of 24 messages', 'round trips', turns(keptUp), { atMost: targets.upkeepTurns }),
    lineOf(of, 'upkeep of one session of 24 messages', 'statements', statements(keptUp)),
    lineOf(of, 'upkeep of a session that is done', 'round trips', turns({ calls: keptUp.again })),
  ]
}

export function idleLines(runs: readonly Idled[]): Line[] {
  const of = 'idle, with upkeep'
  const server = runs.flatMap(({ serverCpuMsPerSecond: cpu }) => cpu ?? [])
  return [
    lineOf(
      of,
      'an instance asks',
      'statements/s',
      runs.map(({ statementsPerSecond }) => statementsPerSecond),
    ),
    lineOf(
      of,
      'an instance holds',
      'connections',
      runs.map(({ connections }) => connections),
    ),
    lineOf(
      of,
      'an instance, CPU',
      'ms/s',
      runs.map(({ cpuMsPerSecond }) => cpuMsPerSecond),
    ),
    ...(server.length === 0 ? [] : [lineOf(of, 'the server, CPU', 'ms/s', server)]),
  ]
}

function warmP50({ warm }: RecalledAt): number {
  return percentile(
    warm.map(({ wallMs }) => wallMs),
    0.5,
  )
}

/** Divides run by run: what was measured at the same time. */
function ratios(values: readonly number[], by: readonly number[]): number[] {
  return values.map((value, run) => value / (by[run] ?? Number.NaN))
}
