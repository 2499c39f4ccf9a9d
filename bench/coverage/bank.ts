import type { ExtractiveWriter } from '../../packages/varve/src/models/writer.ts'
import type { Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'

/** An entry of the bank: what was written of one session, or of all of a day, week, month or year. */
export interface Entry {
  readonly begin: number
  readonly bullets: readonly string[]
  /** Sessions in it. */
  readonly weight: number
}

const dayMs = 86_400_000
const mondayOffsetDays = 3

/** Which period a time falls into, for each granularity, finest first. */
const periods: readonly ((at: number) => string)[] = [
  (at) => new Date(at).toISOString().slice(0, 10),
  (at) => `week ${Math.floor((at / dayMs + mondayOffsetDays) / 7)}`,
  (at) => new Date(at).toISOString().slice(0, 7),
  (at) => new Date(at).toISOString().slice(0, 4),
]

/** The entries, newest first, under their dates. */
export function rendered(entries: readonly Entry[]): string {
  return entries.toSorted((a, b) => b.begin - a.begin).map(({ begin, bullets }) => [`## ${new Date(begin).toISOString().slice(0, 10)}`, ...bullets.map((bullet) => `- ${bullet}`)].join('\n')).join('\n')
}

/** What of the leaves is shown: all, or older ones digested by day, then week, then month and year, oldest first, until it fits. A stand-in for the bank's own. */
export function frontier(leaves: readonly Entry[], writer: ExtractiveWriter, tokenizer: Tokenizer, maxTokens: number): Entry[] {
  let entries = leaves.toSorted((a, b) => a.begin - b.begin)
  for (const period of periods) {
    for (let at = 0; at < entries.length && tokenizer.count(rendered(entries)) > maxTokens; at += 1) {
      const group = entries.filter(({ begin }) => period(begin) === period(entries[at]?.begin ?? 0))
      if (group.length > 1) entries = [...entries.slice(0, at), digested(group, writer), ...entries.slice(at + group.length)]
    }
  }
  // Not even the years fit: the oldest go.
  while (entries.length > 0 && tokenizer.count(rendered(entries)) > maxTokens) entries = entries.slice(1)
  return entries
}

function digested(group: readonly Entry[], writer: ExtractiveWriter): Entry {
  const children = group.map(({ bullets, weight }) => ({ bullets: bullets.map((text) => ({ text })), weight: Math.sqrt(weight) }))
  return { begin: group[0]?.begin ?? 0, bullets: writer.digest(children).map(({ text }) => text), weight: group.reduce((sum, { weight }) => sum + weight, 0) }
}
