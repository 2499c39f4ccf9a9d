import { estimateTokenCount } from 'tokenx'
import { type DueReading, type MessageInput, openMemory, type UserMemory } from '../packages/varve/src/index.ts'
import { readArguments } from './shared/arguments.ts'
import { Dialogue } from './shared/dialogue.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { mean, percentile } from './shared/statistics.ts'
import { figure, table } from './shared/table.ts'
import { isWorking, readTalkFile } from './talk/talk-file.ts'

const about = `What readings cost the agent that makes them, in estimated tokens (tokenx): made-up sessions of 20 and 100 messages, and with
--data those of the working half of a file. An answer is a gist of the span's own words (at most 8 sentences and 180 words) and every
fact that the extractive writer found, as JSON. Layers: gists, facts and instructions.`

const options = readArguments('readings', about, {
  data: {
    value: 'file',
    text: 'conversations. The file is read, and nothing of it is written anywhere. Default: made-up sessions alone.',
    default: '',
  },
})

interface Session {
  readonly name: string
  readonly messages: readonly MessageInput[]
}

/** The tokens of one reading. */
interface Cost {
  readonly session: string
  readonly instructions: number
  readonly span: number
  readonly answer: number
}

function madeUp(count: number, seed: number): Session {
  return { name: `${count} ${seed}`, messages: new Dialogue(seed).messages(count) }
}

function fromFile(path: string): { readonly kind: string; readonly sessions: readonly Session[] } {
  const { kind, conversations } = readTalkFile(path)
  const mine = conversations.filter(({ place }) => kind === 'beam' || isWorking(place))
  const sessions = mine.flatMap(({ place, sessions: all }) =>
    all.map(({ id, turns }) => ({
      name: `${place} ${id}`,
      messages: turns.map(({ role, text, speaker }) => ({ role, content: text, ...(speaker === undefined ? {} : { name: speaker }) })),
    })),
  )
  return { kind, sessions }
}

const said = /^\[(\d+)\] [^:]*: (.*)$/gm

/** Answers as a model might: with sentences and facts that the span holds. */
async function answerTo(ada: UserMemory, { task, prompt }: DueReading): Promise<Record<string, unknown>> {
  const lines = Array.from(prompt.matchAll(task === 'fuse' ? /^\[(\d+)\] (.*)$/gm : said), ([, place, text = '']) => ({ place, text }))
  const chosen = lines.filter((_line, at) => at % Math.max(1, Math.ceil(lines.length / 8)) === 0)
  const words = Math.floor(180 / Math.max(1, chosen.length))
  const gist = chosen.map(({ place, text }) => ({ from: [Number(place)], text: text.split(' ').slice(0, words).join(' ') }))
  if (task === 'fuse') return { gist }
  const seen = new Set(lines.map(({ place }) => Number(place)))
  const facts = (await ada.facts.query({ limit: 1_000 })).flatMap(({ subject, predicate, object, sources: [source] }) =>
    source === undefined || !seen.has(source.seq) ? [] : [factOf({ subject, predicate, object, seq: source.seq })],
  )
  return { gist, facts, instructions: [] }
}

function factOf({ subject, predicate, object, seq }: { subject: string; predicate: string; object: string; seq: number }) {
  const quote = `${subject} ${predicate} ${object}`
  return { quote, from: seq, kind: 'state', subject, predicate, object, when: '' }
}

/** Reads sessions, each for a user of its own. */
async function costsOf(sessions: readonly Session[]): Promise<Cost[]> {
  await using memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, isolation: 'silent' })
  await memory.project('default').settings.set({ readings: { perSession: 1_000, perDay: 10_000 } })
  const costs: Cost[] = []
  for (const [place, { name, messages }] of sessions.entries()) {
    const ada = memory.for(`user ${place}`)
    await ada.append('talk', [...messages])
    await memory.upkeep.run({ all: true, kinds: ['layers'], project: 'default', user: `user ${place}` })
    for (let reading = (await ada.readings.next()).reading; reading !== undefined;) {
      const answer = await answerTo(ada, reading)
      const instructions = estimateTokenCount(reading.instructions) + estimateTokenCount(JSON.stringify(reading.schema))
      costs.push({
        ...{ session: name, instructions, span: reading.tokens - instructions },
        answer: estimateTokenCount(JSON.stringify(answer)),
      })
      reading = (await ada.readings.done(reading.id, answer)).reading ?? (await ada.readings.next()).reading
    }
  }
  return costs
}

/** The rows of a set of sessions: of one reading, and of a whole session. */
function rowsOf(what: string, sessions: readonly Session[], costs: readonly Cost[]): string[][] {
  const bySession = [...Map.groupBy(costs, ({ session }) => session).values()]
  const whole = (some: readonly Cost[]): number =>
    some.reduce((sum, { instructions, span, answer }) => sum + instructions + span + answer, 0)
  const row = (of: string, values: readonly number[]): string[] => [
    of,
    ...[mean(values), percentile(values, 0.5), percentile(values, 0.95), Math.max(...values)].map(figure),
  ]
  return [
    [what, '', '', '', ''],
    row(
      '  messages of a session',
      sessions.map(({ messages }) => messages.length),
    ),
    row(
      '  readings of a session',
      bySession.map((some) => some.length),
    ),
    row(
      '  instructions and schema',
      costs.map(({ instructions }) => instructions),
    ),
    row(
      '  span',
      costs.map(({ span }) => span),
    ),
    row(
      '  answer',
      costs.map(({ answer }) => answer),
    ),
    row(
      '  one reading',
      costs.map((one) => whole([one])),
    ),
    row('  a session, all readings', bySession.map(whole)),
  ]
}

const sets: [what: string, sessions: readonly Session[]][] = [20, 100].map((count) => [
  `made up, ${count} messages`,
  Array.from({ length: 10 }, (_, seed) => madeUp(count, seed + 1)),
])
if (options.data !== '') {
  const { kind, sessions } = fromFile(options.data)
  sets.push([`${kind}, ${sessions.length} sessions`, sessions])
}
const here = setting()
console.log(`${settingLine(here)}\n`)
const rows: string[][] = []
for (const [what, sessions] of sets) rows.push(...rowsOf(what, sessions, await costsOf(sessions)))
console.log(table(['tokens', 'mean', 'p50', 'p95', 'most'], rows))
writeResults('readings', { setting: here, rows })
