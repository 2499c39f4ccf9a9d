import * as z from 'zod'
import { EmptyConversations } from '../empty-conversations.ts'
import type { ImportItem, ImportSource } from '../importer.ts'
import { jsonValues } from '../json-values.ts'
import { isRecord } from './values.ts'

const text = z.string().min(1).optional().catch(undefined)

const sample = z.object({ sample_id: text, conversation: z.custom<Readonly<Record<string, unknown>>>(isRecord) })
const speakers = z.object({ speaker_a: text, speaker_b: text })
const turn = z.object({ speaker: text, dia_id: text, text: z.string(), blip_caption: text, img_url: z.unknown().optional() })

const sessionKey = /^session_(\d+)$/u

/** Reads the LoCoMo file: each session of each sample becomes a session, with the turns' own ids. Both people are `user`. */
export async function* readLocomo(source: ImportSource): AsyncGenerator<ImportItem> {
  let index = 0
  const empty = new EmptyConversations(source.file)
  for await (const item of jsonValues(source)) {
    index += 1
    if (item.kind === 'too large') yield { kind: 'skipped', reason: 'conversation too large' }
    else yield* empty.counting(sampleItems(item.value, `sample-${index}`))
  }
}

function* sampleItems(value: unknown, defaultId: string): Generator<ImportItem> {
  const parsed = sample.safeParse(value)
  if (!parsed.success) {
    yield { kind: 'skipped', reason: 'not a conversation' }
    return
  }
  const { sample_id = defaultId, conversation } = parsed.data
  const { speaker_a, speaker_b } = speakers.parse(conversation)
  const people = [speaker_a, speaker_b].filter((name) => name !== undefined).join(' and ')
  for (const number of sessionNumbers(conversation)) {
    const session = `${sample_id}/session_${number}`
    const said = conversation[`session_${number}_date_time`]
    const begin = typeof said === 'string' ? (readLocomoTime(said) ?? said) : undefined
    yield { kind: 'session', id: session, name: people === '' ? undefined : `${people}, session ${number}`, at: begin }
    yield* turnItems(session, conversation[`session_${number}`], begin)
  }
}

function sessionNumbers(conversation: Readonly<Record<string, unknown>>): readonly number[] {
  const numbers = Object.keys(conversation).flatMap((key) => sessionKey.exec(key)?.slice(1).map(Number) ?? [])
  return numbers.filter((number) => Array.isArray(conversation[`session_${number}`])).sort((a, b) => a - b)
}

function* turnItems(session: string, turns: unknown, begin: number | string | undefined): Generator<ImportItem> {
  for (const [index, value] of (Array.isArray(turns) ? turns : []).entries()) {
    const parsed = turn.safeParse(value)
    if (!parsed.success) {
      yield { kind: 'skipped', reason: 'not a message' }
      continue
    }
    const { speaker, dia_id, text: content, blip_caption, img_url } = parsed.data
    if (img_url !== undefined) yield { kind: 'repaired', reason: 'image left out' }
    const at = typeof begin === 'number' ? begin + index * 1000 : begin
    const metadata = blip_caption === undefined ? undefined : { caption: blip_caption }
    yield { kind: 'message', session, message: { role: 'user', content, id: dia_id, name: speaker, at, metadata } }
  }
}

const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const locomoTime = /^(\d{1,2}):(\d{2})\s*([ap])m\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})$/u

/** Reads `1:56 pm on 8 May, 2023` as UTC milliseconds; the file has no zone, and only this form. */
export function readLocomoTime(said: string): number | undefined {
  const found = locomoTime.exec(said.trim().toLowerCase())
  if (found === null) return undefined
  const [, hour, minute, half, day, month = '', year] = found
  const monthIndex = months.indexOf(month)
  if (monthIndex < 0) return undefined
  return Date.UTC(Number(year), monthIndex, Number(day), (Number(hour) % 12) + (half === 'p' ? 12 : 0), Number(minute))
}
