import { counted, harmless, minute } from '../terminal.ts'
import type { UpkeepDone } from '../do-upkeep.ts'
import { commandLine } from '../next-command.ts'
import type { ShownUpkeepStatus } from './due-work.ts'
import { costPartLine } from './ledger.ts'

/** Sums up a run in a line. */
export function doneLine({ distilled, digested, embedded, documented, noted, erasures, modelCalls }: UpkeepDone): string {
  const pages = [
    ...(documented === 0 ? [] : [` worked ${counted(documented, 'fact')} into documents,`]),
    ...(noted === 0 ? [] : [` brought notes up to date ${counted(noted, 'time')},`]),
  ].join('')
  return (
    `Read ${counted(distilled, 'session')}, made ${counted(digested, 'digest')} and ${counted(embedded, 'vector')},${pages} ` +
    `finished ${counted(erasures, 'erasure')}, with ${counted(modelCalls, 'model call')}.`
  )
}

/** Rounds a time up to its next minute: by then it is over. */
const almostAMinute = 59_999

/** Tells how many sessions wait, and until when. Undefined when none waits. */
export function waitingLine({ sessions, until }: ShownUpkeepStatus['waiting']): string | undefined {
  if (until === undefined) return undefined
  const which = sessions === 1 ? '1 session waits' : `${sessions.toLocaleString('en')} sessions wait`
  return (
    `${which} until ${minute(until + almostAMinute)} UTC, since the talk may go on: a session is read 10 minutes after its last ` +
    'message was stored, or after 20 new ones, unless its project has other settings.'
  )
}

/** Says that messages are not read yet, and why, and gives the command that reads them. */
export function unreadNote(messages: number, { waiting }: ShownUpkeepStatus, store: readonly string[]): string {
  const why = waitingLine(waiting)
  return `${counted(messages, 'message')} not read yet.${why === undefined ? '' : ` ${why}`}\n${nextUpkeep(waiting, store)}`
}

export function nextUpkeep({ sessions }: ShownUpkeepStatus['waiting'], store: readonly string[]): string {
  return `Next: ${commandLine('upkeep', ...(sessions === 0 ? [] : ['--all']), ...store)}`
}

/** Shows the waiting work, the models, the costs, and the failures. */
export function statusLines(status: ShownUpkeepStatus): string[] {
  const { backlog, provisional, oldestDue, embedding, failures, cost } = status
  const layers = Object.keys(provisional)
  const waiting =
    embedding === undefined ? 'Vectors are off (VARVE_EMBEDDINGS=off)' : `${counted(backlog.embeddings, 'message')} without a vector`
  return [
    `${waiting}, ${counted(backlog.erasures, 'erasure')} unfinished.`,
    `Sessions to read: ${byLayer(backlog, layers)}${oldestDue === undefined ? '' : `; the oldest is due since ${minute(oldestDue)}`}.`,
    ...pagesLine(backlog),
    `Sessions to write again: ${byLayer(provisional, layers)}.`,
    ...(embedding === undefined ? [] : [harmless(embeddingLine(embedding))]),
    harmless(modelLine(status)),
    ...cost.map((total) => `Last 30 days, ${costPartLine(total)}`),
    ...failures.map(({ kind, id, reason, attempts }) => `${kind} ${id}: ${harmless(reason)} (${counted(attempts, 'try', 'tries')})`),
  ]
}

/** Counts the notes and documents to be written, if any. */
function pagesLine({ notes, edits }: ShownUpkeepStatus['backlog']): string[] {
  const of = [
    ...(notes === 0 ? [] : [`notes of ${counted(notes, 'session')}`]),
    ...(edits === 0 ? [] : [`${counted(edits, 'fact')} to work into documents`]),
  ]
  return of.length === 0 ? [] : [`Pages to write: ${of.join(', ')}.`]
}

function byLayer(sessions: Readonly<Record<string, number>>, layers: readonly string[]): string {
  const of = layers
    .map((layer) => ({ layer, count: sessions[layer] ?? 0 }))
    .filter(({ count }) => count > 0)
    .map(({ layer, count }) => `${count.toLocaleString('en')} for ${layer}`)
  return of.length === 0 ? 'none' : of.join(', ')
}

function modelLine({ languageModel }: ShownUpkeepStatus): string {
  if (languageModel === undefined) return 'Written by the extractive writer: VARVE_MODEL_URL names no language model'
  const { name, notBefore } = languageModel
  return (
    'Written by ' +
    `${name}${notBefore === undefined ? '' : `, which failed and is left alone until ${minute(notBefore)}; the extractive writer serves`}`
  )
}

function embeddingLine({ name, detail, tokensPerSecond, fasterBy, refused }: NonNullable<ShownUpkeepStatus['embedding']>): string {
  const speed = tokensPerSecond === undefined ? '' : `, ${counted(tokensPerSecond, 'token')} a second`
  const left = refused === 0 ? '' : `; ${counted(refused, 'passage')} refused by the model`
  return `${name}: ${detail}${speed}${left}${fasterBy === undefined ? '' : `; faster with: ${fasterBy}`}`
}
