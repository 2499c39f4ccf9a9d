import { readFileSync } from 'node:fs'
import { roles } from '../../packages/varve/src/messages/message.ts'
import { stop } from '../shared/arguments.ts'
import { type Json, list, record } from '../talk/json.ts'

export const kinds = [
  'tools and versions',
  'home',
  'work',
  'diet',
  'prices',
  'dates',
  'people',
  'preferences',
  'ownership',
  'health',
  'project decisions',
  'names',
] as const

/** Ways in which talk seems to change a value and does not. */
export const traps = [
  'late',
  'told twice',
  'taken back',
  'conditional',
  'quoted',
  'somebody else',
  'planned',
  'temporary',
  'assistant',
  'question',
  'beside',
  'other attribute',
] as const

interface Said {
  readonly role: (typeof roles)[number]
  readonly content: string
  readonly name?: string
}

/** Sessions of one user in which a value changes, or seems to change. */
export interface History {
  readonly id: string
  readonly kind: (typeof kinds)[number]
  /** Undefined for a true update. */
  readonly trap: (typeof traps)[number] | undefined
  /** `at` is in UTC milliseconds. */
  readonly sessions: readonly { readonly at: number; readonly messages: readonly Said[] }[]
  /** Words of the values that hold at the end. Empty when something only ended. */
  readonly current: readonly string[]
  /** Words of values that do not hold at the end. */
  readonly gone: readonly string[]
  readonly question: string
  /** Words of the message that states the value that holds. */
  readonly answer: string
  /** Words of the message that states the old value; empty without one. */
  readonly old: string
}

/** Reads histories from a JSON Lines file, or ends the process with all mistakes in it. */
export function readHistories(path: string): History[] {
  const histories = linesOf(path).map(readHistory)
  const ids = new Set<string>()
  const problems = histories.flatMap((history) => {
    const isTwice = ids.has(history.id)
    ids.add(history.id)
    return [...(isTwice ? ['its id stands twice'] : []), ...problemsOf(history)].map((problem) => `${path}: ${history.id}: ${problem}`)
  })
  return problems.length > 0 ? stop(problems.join('\n')) : histories
}

function linesOf(path: string): Json[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.filter((line) => line.trim() !== '').map((line) => record(JSON.parse(line)))
  } catch (error) {
    return stop(`--set: ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function readHistory({ id, kind, trap, sessions, current, gone, question, answer, old }: Json): History {
  const named = String(id)
  return {
    id: named,
    kind: oneOf(kinds, kind, `${named}: kind`),
    trap: trap === null ? undefined : oneOf(traps, trap, `${named}: trap`),
    sessions: list(sessions).map(({ at, messages }) => ({
      at: Date.parse(String(at)),
      messages: list(messages).map(({ role, content, name }) => ({
        role: oneOf(roles, role, `${named}: role`),
        content: String(content),
        ...(typeof name === 'string' ? { name } : {}),
      })),
    })),
    current: texts(current),
    gone: texts(gone),
    question: String(question),
    answer: String(answer),
    old: String(old),
  }
}

function oneOf<Known extends string>(known: readonly Known[], value: unknown, what: string): Known {
  return known.find((one) => one === value) ?? stop(`${what} must be one of ${known.join(', ')}, received ${String(value)}`)
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function problemsOf({ sessions, current, question, answer, old }: History): string[] {
  const said = sessions.flatMap(({ messages }) =>
    messages.filter(({ role }) => role === 'user').map(({ content }) => content.toLowerCase()),
  )
  const isSaid = (words: string): boolean => said.some((content) => content.includes(words.toLowerCase()))
  const ascend = sessions.every(({ at }, place) => at > (sessions[place - 1]?.at ?? 0))
  return [
    ...(sessions.length === 0 || question === '' ? ['it has no session or no question'] : []),
    ...(ascend ? [] : ['its times do not ascend']),
    ...[...current, answer, old].filter((words) => !isSaid(words)).map((words) => `no user says ${JSON.stringify(words)}`),
  ]
}
