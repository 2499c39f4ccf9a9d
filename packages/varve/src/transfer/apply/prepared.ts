import { setImmediate as nextTurn } from 'node:timers/promises'
import { estimateTokenCount } from 'tokenx'
import { ownName } from '../../facts/entities.ts'
import { wordsOfFact } from '../../facts/predicates.ts'
import { analyse } from '../../index/analyse.ts'
import { itemTerms } from '../../index/item-terms.ts'
import { encodeTerms } from '../../index/terms-codec.ts'
import { traitsOf } from '../../index/traits.ts'
import { merged } from '../../messages/echo.ts'
import { fencedRanges } from '../../messages/fence.ts'
import { spokenAs } from '../../messages/spoken-as.ts'
import { mainLineOf } from '../../messages/tool-calls.ts'
import type { PartitionId } from '../../scope/partition.ts'
import type { PreparedMessage } from '../../storage/log/prepared-message.ts'
import type { AnyRecord, RecordOf } from '../records.ts'

/** The index data of a text. */
export type IndexData = ReturnType<typeof itemTerms>

/** A record with the index data that is made of it, ahead of the transaction. */
export type PreparedRecord =
  | { readonly record: RecordOf<'message'>; readonly message: PreparedMessage }
  | { readonly record: RecordOf<'item'> | RecordOf<'fact'>; readonly indexed: IndexData }
  | { readonly record: Exclude<AnyRecord, { readonly kind: 'message' | 'item' | 'fact' }> }

/** Text that is analysed in one go: some 2 ms. */
const charactersPerTurn = 16_384

/** Analyses records, and lets others have their turn in between. `key` is the store's, by which it knows its own fences. */
export async function preparedRecords(
  records: readonly AnyRecord[],
  partition: PartitionId,
  key: string,
): Promise<readonly PreparedRecord[]> {
  const prepared: PreparedRecord[] = []
  let characters = 0
  for (const record of records) {
    characters += 'content' in record ? (record.content?.length ?? 0) : 100
    if (characters > charactersPerTurn) {
      await nextTurn()
      characters = 0
    }
    prepared.push(preparedRecord(record, partition, key))
  }
  return prepared
}

function preparedRecord(record: AnyRecord, partition: PartitionId, key: string): PreparedRecord {
  if (record.kind === 'message') return { record, message: preparedMessage(record, key) }
  if (record.kind === 'item') return { record, indexed: itemTerms(isMadeOfItself(record) ? record.content : '', record.language) }
  if (record.kind === 'fact') return { record, indexed: itemTerms(wordsOfFact(ownName(partition), record), record.language) }
  return { record }
}

/** Tells whether an item is found by its own text alone. */
function isMadeOfItself({ type }: RecordOf<'item'>): boolean {
  return type === 'gist' || type === 'bank'
}

/**
 * Prepares a message as an append does, in the language that it had. Ranges that another store had rendered are taken:
 * they only keep words out of the index. A fence of this store counts as well.
 */
function preparedMessage(record: RecordOf<'message'>, key: string): PreparedMessage {
  const { content, role, origin, language } = record
  const fenced = content.includes('<memory ') ? fencedRanges(content, key) : []
  const given = (record.recalled ?? []).map(([from, to]) => ({ from: Math.min(from, content.length), to: Math.min(to, content.length) }))
  const recalled = merged([...fenced, ...given.filter(({ from, to }) => from < to)])
  const isSystem = origin === 'system'
  const text = isSystem ? { terms: new Map<string, number>(), length: 0 } : analyse(content, language, recalled)
  const tokens = estimateTokenCount(content)
  const { thread, parts, name } = record
  const called = parts === undefined || role === 'user' ? {} : { parts }
  return {
    externalId: record.externalId ?? null,
    role,
    origin,
    name: name ?? null,
    thread: thread ?? null,
    content,
    parts: parts === undefined ? null : JSON.stringify(parts),
    metadata: record.metadata === undefined ? null : JSON.stringify(record.metadata),
    recalled,
    saidAt: record.at,
    tokens,
    main: mainLineOf({ role, tokens, ...(thread === undefined ? {} : { thread }), ...called }),
    traits: isSystem ? 0 : traitsOf(content),
    terms: encodeTerms({ role: spokenAs(record), language, name: name ?? '', text }),
  }
}
