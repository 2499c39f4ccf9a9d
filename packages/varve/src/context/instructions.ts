import { localDay } from '../bank/periods.ts'
import { bankSettings } from '../bank/settings.ts'
import { contentTerms } from '../index/content-terms.ts'
import type { Instruction } from '../instructions/instruction.ts'
import { standingInstructions } from '../instructions/read-instructions.ts'
import { partitionLanguage } from '../storage/log/sessions.ts'
import { findPartition, projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { Candidate } from './candidates.ts'
import { contextName, contextText } from './quoted-text.ts'
import type { TierInput } from './tier-input.ts'
import { notedHeading } from './tiers.ts'

/**
 * Gives the instructions that stand. Those that share most words with the question are wanted first, then the last said.
 * What agents noted is wanted last, and says so: no person asked for it.
 * They are shown in the order of saying, the last said first.
 */
export function* instructionsTier({ partition, request }: TierInput): Program<readonly Candidate[]> {
  const standing = yield* standingInstructions(partition)
  const owner = standing.length === 0 ? undefined : yield* findPartition(partition)
  if (owner === undefined) return []
  const language = yield* partitionLanguage(owner.id)
  const { timeZone } = bankSettings(yield* projectSettings(partition.project))
  const words = new Set(contentTerms(request.recall.query, language))
  return standing
    .map((one, place) => ({
      candidate: instructionCandidate(one, place, timeZone),
      noted: one.noted === true,
      shared: sharedWith(words, one, language),
    }))
    .toSorted((a, b) => Number(a.noted) - Number(b.noted) || b.shared - a.shared)
    .slice(0, request.tiers.instructions.limit)
    .map(({ candidate }) => candidate)
}

/** Counts the words of the question that an instruction has. */
function sharedWith(words: ReadonlySet<string>, { text }: Instruction, language: string): number {
  return words.intersection(new Set(contentTerms(text, language))).size
}

export function instructionCandidate({ id, text, since, by, noted, sources }: Instruction, place: number, timeZone: string): Candidate {
  const [day, speaker] = [localDay(since, timeZone), contextName(by, noted === true ? 'agent' : 'user')]
  const how = sources.length === 0 ? 'added by hand' : `in words of ${speaker}`
  const said = {
    tier: 'instructions' as const,
    id,
    reason: `asked for since ${day}, ${how}`,
    line: `- "${contextText(text)}" (${speaker}, since ${day})`,
    at: 0,
    seq: place,
    session: '',
  }
  if (noted !== true) return said
  return {
    ...said,
    reason: `noted by ${speaker} on ${day}`,
    line: `- "${contextText(text)}" (${speaker}, noted ${day})`,
    heading: notedHeading,
    session: 'noted',
    at: 1,
  }
}
