import { NotFound } from '../errors/not-found.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { itemTerms } from '../index/item-terms.ts'
import { byHand } from '../models/writer.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { replaceItem } from '../storage/derived/item-erasure.ts'
import { itemKinds, itemsOfSession } from '../storage/derived/items.ts'
import { ensureDerivedOf, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { findSessionRow } from '../storage/log/sessions.ts'
import { uuidText } from '../storage/uuid-bytes.ts'

/** Puts a person's words in the place of a session's gist. They stand for all messages so far; later ones are added to them. */
export function* writeGist(partition: PartitionId, session: SessionName, lines: readonly string[], now: number): Program<void> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (owner === undefined || row === undefined) throw new NotFound({ kind: 'session', id: session })
  const old = (yield* itemsOfSession(row.id)).find(({ kind }) => kind === itemKinds.gist)
  yield* replaceItem(
    yield* ensureDerivedOf(owner.id, now),
    old,
    {
      id: old === undefined ? uuidv7(now) : uuidText(old.uuid),
      kind: itemKinds.gist,
      rung: 0,
      period: '',
      session: row.id,
      sentences: lines.map((text) => ({ text, from: [] })),
      spans: row.seq === 0 ? [] : [[1, row.seq]],
      madeOf: [],
      hand: lines.join('\n'),
      handSeq: row.seq,
      pinned: false,
      messages: row.messages,
      conversations: 1,
      firstAt: row.first_said_at ?? now,
      lastAt: row.last_said_at ?? now,
      writer: byHand,
      provisional: false,
      ...itemTerms(lines.join('\n'), row.language),
    },
    now,
  )
}
