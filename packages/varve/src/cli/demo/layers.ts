import { Cancelled } from '../../errors/cancelled.ts'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { rungs } from '../render/bank.ts'
import { pastLines, subjectLines } from '../render/fact.ts'
import { gistLines } from '../render/gist.ts'
import { counted, harmless, harmlessLine, paragraph, print } from '../terminal.ts'
import { heading, quote, withTime, width } from './print.ts'

/** The tokens of the sample's bank: so few that it shows weeks and months. */
const maxTokens = 700
const gistsShown = 3
const factsShown = 12
/** The longest time for reading. A language model may be slow; the extractive writer needs a second. */
const longestReadingMs = 12_000

/** Switches the layers of the project on. Gists and facts are on by default, documents and the bank are not. */
export async function switchOn(memory: Memory): Promise<void> {
  await memory.project('default').settings.set({ layers: { gists: true, facts: true, documents: true, bank: true }, bank: { maxTokens } })
}

/** Reads every session now. A program that runs for a while does this by itself, once nobody has talked for 10 minutes. */
export async function readSessions(memory: Memory, handle: UserMemory): Promise<void> {
  const sessions = await handle.sessions.list()
  const { result: read, ms } = await withTime(() =>
    readInTime(
      handle,
      sessions.map(({ id }) => id),
    ),
  )
  const { languageModel } = await memory.upkeep.status()
  heading('Read the conversations', ms)
  const writer =
    languageModel === undefined
      ? 'by the extractive writer, from the messages: VARVE_MODEL_URL names no language model.'
      : `by ${languageModel.name}, the model at VARVE_MODEL_URL: varve ledger shows each call.`
  for (const line of paragraph(harmless(`${counted(read, 'session')} summed up ${writer}`), { indent: '  ', width })) print(line)
  if (read < sessions.length) print(`  ${counted(sessions.length - read, 'session')} left for varve upkeep.`)
}

async function readInTime(handle: UserMemory, ids: readonly string[]): Promise<number> {
  const signal = AbortSignal.timeout(longestReadingMs)
  let read = 0
  try {
    for (const id of ids) {
      await handle.distil(id, { signal })
      read += 1
    }
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
  }
  return read
}

export async function showGists(handle: UserMemory): Promise<void> {
  const { result, ms } = await withTime(() => handle.gists.list({ limit: gistsShown }))
  heading('Gists: the last conversations in a few sentences', ms)
  for (const gist of result) for (const line of gistLines(gist, width - 2, 5)) print(`  ${line}`)
}

/** Prints the facts that hold now, and the past of one of them: nothing is lost. */
export async function printFacts(handle: UserMemory): Promise<void> {
  const { result: subjects, ms } = await withTime(async () => (await handle.profile()).subjects)
  const facts = subjects.flatMap((subject) => subject.facts)
  heading('Facts: each with its time and its source', ms)
  const shown = facts.slice(0, factsShown)
  for (const line of subjectLines(shown, { width: width - 2, ids: false })) print(`  ${line}`.trimEnd())
  if (facts.length > shown.length) print(`  and ${facts.length - shown.length} more.`)
  const pasts = await Promise.all(
    shown.map(async (fact) => (await handle.facts.history(fact.id)).filter(({ supersededBy }) => supersededBy === fact.id)),
  )
  const past = pasts.flat()[0]
  if (past === undefined) return
  print('\n  An earlier fact, and the fact that replaced it:\n')
  for (const line of [harmlessLine(past.subject), ...pastLines(past, facts, { width: width - 2, ids: false })]) print(`  ${line}`)
}

export async function showBank(handle: UserMemory): Promise<void> {
  const { entries } = await handle.bank.stats()
  const { result, ms } = await withTime(() => handle.bank.render())
  heading('The bank: all conversations in a few lines', ms)
  print(`  ${rungs(entries)}.`)
  print(`  ${result.tokens} of at most ${result.maxTokens} tokens, the recent finer than the old:\n`)
  quote(result.text)
}
