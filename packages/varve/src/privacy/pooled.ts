import { type Entities, ownName } from '../facts/entities.ts'
import { entityKey } from '../facts/keys.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { NamedItem } from '../storage/derived/items.ts'
import { sentencesOf } from '../storage/derived/parts.ts'
import { self } from '../storage/known/entities.ts'
import { spokenRows, type SpokenRow } from '../storage/log/speakers.ts'
import type { Program } from '../storage/program.ts'
import type { Saying } from './saying.ts'

/** The sentences on one person, and the language of most of them (ISO 639-1; '' for unknown). */
export interface PersonPool {
  readonly subject: string
  readonly sayings: readonly Saying[]
  readonly language: string
}

interface Attributed {
  readonly key: string
  readonly subject: string
  readonly language: string
  readonly saying: Saying
}

/**
 * Pools the sentences of gists by the person whose words they rest upon. A sentence that rests on several speakers, on
 * an assistant or on a tool is nobody's. The user comes first, then those with the most sentences.
 */
export function* pooled(
  partition: PartitionId,
  entities: Entities | undefined,
  gists: readonly NamedItem[],
): Program<readonly PersonPool[]> {
  const read = gists.map((item) => ({ item, sentences: sentencesOf(item).filter(({ from }) => from.length > 0) }))
  const speakers = yield* spokenRows(
    read.map(({ item, sentences }) => ({ session: item.session_id, seqs: [...new Set(sentences.flatMap(({ from }) => from))] })),
  )
  const all = read.flatMap(({ item, sentences }, place) => {
    const said = new Map((speakers[place] ?? []).map((row) => [row.seq, row]))
    return sentences.flatMap(({ text, from }): Attributed[] => {
      const rows = from.flatMap((seq) => said.get(seq) ?? [])
      const speaker = rows.length === from.length ? soleSpeaker(rows) : undefined
      if (speaker === undefined) return []
      const key = keyOf(speaker.name, partition, entities)
      const saying = { text, session: item.session ?? '', from, at: Math.max(...rows.map((row) => row.said_at)) }
      return [{ key, subject: key === self ? ownName(partition) : (speaker.name ?? ''), language: speaker.language, saying }]
    })
  })
  return [...Map.groupBy(all, ({ key }) => key)]
    .toSorted(([a, ofA], [b, ofB]) => Number(b === self) - Number(a === self) || ofB.length - ofA.length)
    .map(([, of]) => ({ subject: of[0]?.subject ?? '', sayings: of.map(({ saying }) => saying), language: commonest(of) }))
}

function soleSpeaker(rows: readonly SpokenRow[]): SpokenRow | undefined {
  const isPersons = rows.every(({ role, origin, name }) => role === 'user' && origin === 'person' && name === rows[0]?.name)
  return isPersons ? rows[0] : undefined
}

function keyOf(name: string | null, partition: PartitionId, entities: Entities | undefined): string {
  if (name === null) return self
  if (entities !== undefined) return entities.asked(name)
  const key = entityKey(name)
  return key === entityKey(ownName(partition)) ? self : key
}

function commonest(of: readonly Attributed[]): string {
  const counts = [...Map.groupBy(of, ({ language }) => language)].toSorted(([, a], [, b]) => b.length - a.length)
  return counts[0]?.[0] ?? ''
}
