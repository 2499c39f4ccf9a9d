import { NotFound } from '../errors/not-found.ts'
import { bankStats, renderedBank } from '../bank/bank-of.ts'
import { shownBanksIn } from '../bank/shown-banks.ts'
import { profilesIn } from '../facts/profiles.ts'
import { segmentsIn } from '../index/segments.ts'
import { itemsOf, type Page } from '../log/pages.ts'
import { tokenizerIn } from '../models/tokenizer.ts'
import { notesForCompaction } from '../notes/read-notes.ts'
import { storedNotesSettings } from '../notes/settings.ts'
import type { AskedVector } from '../recall/asked-vector.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import type { Here } from '../storage/here.ts'
import { epochsOf } from '../storage/epochs.ts'
import type { Listed, ListRequest } from '../storage/listed.ts'
import { pastContext, pastContexts, type StoredContext } from '../storage/log/past-contexts.ts'
import { findPartition, projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { assemble, type Assembled } from './assemble.ts'
import { bankMarksIn } from './bank-marks.ts'
import { comparedContexts, type ContextComparison } from './past/compare.ts'
import { pastHeadOf, type PastContext, type PastContextHead, pastContextOf, type PastMeans } from './past/past-context.ts'
import { estimateTokenizer } from './estimated-tokens.ts'
import { compact, type CompactPlan, type CompactRequest } from './compact/compact.ts'
import { TurnSizes } from './compact/sizes.ts'
import type { Turn } from './compact/turn.ts'
import type { ContextRequest } from './request.ts'

/** The reads that assemble contexts, render banks and cut conversations to a budget. */
export const contextReads = {
  assemble: async (here: Here, partition: PartitionId, request: ContextRequest, asked?: AskedVector): Promise<Assembled> => {
    const means = {
      key: here.key,
      tokenizer: request.estimated ? estimateTokenizer : await tokenizerIn(here),
      asked,
      banks: shownBanksIn(here),
      marks: bankMarksIn(here),
      profiles: profilesIn(here),
    }
    return here.read(assemble(segmentsIn(here), partition, request, means))
  },
  /** Renders a bank, and gives the epochs from before, with which the shown text is noted. */
  bank: async (here: Here, partition: PartitionId, maxTokens: number | undefined) => {
    const epochs = await here.read(epochsOf(partition))
    const marking = bankMarksIn(here).marking(partition, here.now)
    const options = { maxTokens, now: here.now }
    return { rendered: await here.read(renderedBank(shownBanksIn(here), partition, options, await tokenizerIn(here), marking)), epochs }
  },
  bankStats: async (here: Here, partition: PartitionId) =>
    here.read(bankStats(shownBanksIn(here), partition, here.now, await tokenizerIn(here), bankMarksIn(here).marking(partition, here.now))),
  pastList: async (here: Here, partition: PartitionId, session: SessionName | undefined, request: ListRequest) =>
    here.read(listed(partition, session, request)),
  past: async (here: Here, id: string, partition: PartitionId | undefined) => {
    const means = await pastMeans(here)
    return here.read(one(means, id, partition))
  },
  pastCompared: async (here: Here, ids: readonly [string, string], partition: PartitionId | undefined) => {
    const means = await pastMeans(here)
    return here.read(two(means, ids, partition))
  },
  compact: (here: Here, partition: PartitionId, request: CompactRequest) => planned(here, partition, request),
  /** Cuts a long conversation, whose turns come in pages. */
  compactPages: (here: Here, partition: PartitionId, request: Omit<CompactRequest, 'turns'>, pages: readonly Page<Turn>[]) =>
    planned(here, partition, { ...request, turns: itemsOf(pages) }),
}

async function pastMeans(here: Here): Promise<PastMeans> {
  return { key: here.key, now: here.now, tokenizer: await tokenizerIn(here), banks: shownBanksIn(here), marks: bankMarksIn(here) }
}

function* listed(partition: PartitionId, session: SessionName | undefined, request: ListRequest): Program<Listed<PastContextHead>> {
  const owner = yield* findPartition(partition)
  const { items, ...more } = yield* pastContexts(owner?.id ?? 0, session, request)
  return { items: items.map(pastHeadOf), ...more }
}

function* one(means: PastMeans, id: string, partition: PartitionId | undefined): Program<PastContext> {
  return yield* pastContextOf(means, yield* storedContext(id, partition))
}

function* two(
  means: PastMeans,
  [first, second]: readonly [string, string],
  partition: PartitionId | undefined,
): Program<ContextComparison> {
  return yield* comparedContexts(means, yield* storedContext(first, partition), yield* storedContext(second, partition))
}

/** Reads a context. NotFound for an unknown one, and for one of another partition than is asked for. */
function* storedContext(id: string, partition: PartitionId | undefined): Program<StoredContext> {
  const number = partition === undefined ? undefined : ((yield* findPartition(partition))?.id ?? 0)
  const found = yield* pastContext(id, number)
  if (found === undefined) throw new NotFound({ kind: 'context', id })
  return found
}

async function planned(here: Here, partition: PartitionId, request: CompactRequest): Promise<CompactPlan> {
  const tokenizer = await tokenizerIn(here)
  const settings = storedNotesSettings((await here.read(projectSettings(partition.project)))['notes'])
  const sizes = here.keep(TurnSizes, () => new TurnSizes(tokenizer))
  // The writer brings every language's patterns: 45 ms, which a process that only asks does not have to spend.
  const { extractiveNotesWriter } = await import('../extractive/notes-writer.ts')
  return here.read(
    compact(partition, request, { key: here.key, sizes, readNotes: notesForCompaction, writer: extractiveNotesWriter, settings }),
  )
}
