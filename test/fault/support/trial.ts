import { readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Memory } from '../../../packages/varve/src/memory/memory.ts'
import { storedCode } from '../../../packages/varve/src/index/vectors/stored-code.ts'
import { vectorOf } from './embedding-model.ts'
import { expectations, type ScenarioName, session } from './scenarios.ts'

/** The state of a trial: the number of its acknowledged steps. */
export interface Trial {
  readonly scenario: ScenarioName
  readonly user: string
  readonly acknowledged: number
  /** Messages that were appended after the fault. */
  readonly later: readonly string[]
}

/** Checks the store after a trial: it must be in the state before or after the failed step, with everything acknowledged. */
export async function judge(memory: Memory, trial: Trial): Promise<{ state: number; problems: string[] }> {
  const { states } = expectations(trial.scenario, trial.user)
  const ada = memory.for({ project: 'faults', user: trial.user })
  const messages = await ada.messages(session, { limit: 1_000 })
  const contents = messages.map(({ content }) => content)
  const candidates = [trial.acknowledged, trial.acknowledged + 1].filter((step) => step < states.length)
  const state = candidates.find((step) => same(contents, [...(states[step] ?? []), ...trial.later]))
  const problems: string[] = []
  if (state === undefined)
    problems.push(`${trial.user}: after ${trial.acknowledged} steps it holds ${JSON.stringify(contents.map((text) => text.slice(0, 24)))}`)
  const seqs = messages.map(({ seq }) => seq)
  if (new Set(seqs).size !== seqs.length) problems.push(`${trial.user}: a seq twice in ${seqs.join(' ')}`)
  if (trial.scenario === 'append' && seqs.some((seq, place) => seq !== place + 1)) problems.push(`${trial.user}: gaps in ${seqs.join(' ')}`)
  return { state: state ?? -1, problems }
}

/** Finishes the erasures, and searches the files for erased words, vectors and codes. */
export async function searchErased(memory: Memory, store: string, trial: Trial, state: number): Promise<string[]> {
  const { states, erased } = expectations(trial.scenario, trial.user)
  if (erased.length === 0 || state !== states.length - 1) return []
  const { settled } = await memory.upkeep.run({ kinds: ['erasures'] })
  if (!settled) return [`${trial.user}: the erasure does not finish`]
  return erased.flatMap((text) =>
    tracesOf(text)
      .filter(([, bytes]) => isInFiles(store, bytes))
      .map(([what]) => `${trial.user}: ${what} ${text.slice(0, 24)} is in the files`),
  )
}

function tracesOf(text: string): [what: string, bytes: Buffer][] {
  const vector = vectorOf(text)
  return [
    ['the text', Buffer.from(text)],
    ['the vector of', Buffer.from(vector.buffer)],
    ['the code of', Buffer.from(storedCode(vector).body)],
  ]
}

/** Looks for an inner part, since a remnant may be cut. */
function isInFiles(store: string, bytes: Buffer): boolean {
  const part = bytes.subarray(-48, -8)
  return filesOf(store).some((file) => readFileSync(file).includes(part))
}

/** Returns the store's file, and all files beside it under its name. */
export function filesOf(store: string): string[] {
  const folder = dirname(store)
  return readdirSync(folder)
    .filter((name) => name.startsWith(basename(store)))
    .map((name) => join(folder, name))
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, place) => text === right[place])
}
