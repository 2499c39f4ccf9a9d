import { NotFound } from '../errors/not-found.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { itemTerms } from '../index/item-terms.ts'
import { byHand } from '../models/writer.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { deedsOfSession, keepTexts, keptTexts, noteDeed } from '../storage/deeds/deeds.ts'
import { itemsAmong, textsOfItems } from '../storage/deeds/kept-items.ts'
import { replaceItem } from '../storage/derived/item-erasure.ts'
import { itemKinds, itemsOfSession, type NewItem } from '../storage/derived/items.ts'
import { forgetLayer } from '../storage/derived/reading.ts'
import { bitOf } from '../storage/layers.ts'
import { findSessionRow } from '../storage/log/sessions.ts'
import { ensureDerivedOf, findPartition, type PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { ItemTable, SessionTable } from '../storage/schema.ts'
import { uuidText } from '../storage/uuid-bytes.ts'

/** The gist of a session, before it is changed by hand. */
interface Standing {
  readonly entries: PartitionRow
  readonly row: SessionTable
  readonly old: ItemTable | undefined
}

function* standing(partition: PartitionId, session: SessionName, now: number): Program<Standing> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (owner === undefined || row === undefined) throw new NotFound({ kind: 'session', id: session })
  const old = (yield* itemsOfSession(row.partition_id, row.id)).find(({ kind }) => kind === itemKinds.gist)
  return { entries: yield* ensureDerivedOf(owner.id, now), row, old }
}

/** Puts a person's words in the place of a session's gist. They stand for all messages so far; later ones are added to them. */
export function* writeGist(partition: PartitionId, session: SessionName, lines: readonly string[], now: number): Program<void> {
  const before = yield* standing(partition, session, now)
  const { row, old } = before
  const hand = lines.join('\n')
  if (old?.content === hand && old.hand === hand && old.hand_seq === row.seq) return
  yield* put(
    before,
    {
      sentences: lines.map((text) => ({ text, from: [] })),
      spans: row.seq === 0 ? [] : [[1, row.seq]],
      madeOf: [],
      hand,
      handSeq: row.seq,
      messages: row.messages,
      firstAt: row.first_said_at ?? now,
      lastAt: row.last_said_at ?? now,
      writer: byHand,
      provisional: false,
    },
    now,
    now,
  )
}

/**
 * Gives a gist the text of an earlier revision again. Upkeep adds what was said since. Nothing changes when that text
 * stands. NotFound for a revision that is not kept.
 */
export function* restoreGist(partition: PartitionId, session: SessionName, revision: number, now: number): Program<void> {
  const before = yield* standing(partition, session, now)
  const deeds = yield* deedsOfSession(before.entries.id, before.row.id)
  const deed = deeds.find(({ place }) => place === revision)
  const [kept] = deed === undefined ? [] : itemsAmong(yield* keptTexts(deed))
  const newest = (deeds[0]?.place ?? 0) + 1
  if (revision === newest && before.old !== undefined) return
  if (kept === undefined) throw new NotFound({ kind: 'gist revision', id: String(revision) })
  const { item } = kept
  const isSame = before.old?.hand === item.hand && before.old.content === item.sentences.map(({ text }) => text).join('\n')
  if (isSame) return
  yield* put(before, item, kept.recordedAt, now)
  yield* forgetLayer(before.row.partition_id, before.row.id, bitOf('gists'))
}

type Text = Pick<
  NewItem,
  'sentences' | 'spans' | 'madeOf' | 'hand' | 'handSeq' | 'messages' | 'firstAt' | 'lastAt' | 'writer' | 'provisional'
>

/** Stores a text as the gist, and keeps the one before it. */
function* put({ entries, row, old }: Standing, text: Text, writtenAt: number, now: number): Program<void> {
  const place = ((yield* deedsOfSession(entries.id, row.id))[0]?.place ?? 0) + 1
  const ref = old === undefined ? {} : { ref: old.uuid }
  const deed = yield* noteDeed({ id: uuidv7(now), partition: entries.id, act: 'write', ...ref, session: row.id, place, now })
  if (old !== undefined) yield* keepTexts(entries.id, deed, yield* textsOfItems([old]))
  yield* replaceItem(
    entries,
    old,
    {
      ...text,
      id: old === undefined ? uuidv7(now) : uuidText(old.uuid),
      kind: itemKinds.gist,
      rung: 0,
      period: '',
      session: row.id,
      home: row.partition_id,
      pinned: false,
      conversations: 1,
      ...itemTerms(text.sentences.map((one) => one.text).join('\n'), row.language),
    },
    writtenAt,
  )
}
