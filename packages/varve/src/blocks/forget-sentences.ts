import { nearTo } from '../storage/partitions.ts'
import type { BlockTable } from '../storage/known-tables.ts'
import { type BlockText, rewriteTexts, saidByPeople, contentsAt, textsOfBlocks } from '../storage/derived/block-texts.ts'
import { blocksAt, changeBlock, eraseBlock } from '../storage/derived/blocks.ts'
import { eraseItems } from '../storage/derived/item-erasure.ts'
import { itemOfBlock } from '../storage/derived/block-item.ts'
import { hasAgentNotes } from '../storage/known/agent-notes.ts'
import { partitionLanguage } from '../storage/log/sessions.ts'
import { leastTelling, type Needles } from '../storage/needles.ts'
import { abreast, type Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { indexBlock } from './index-block.ts'
import {
  type BlockSentence,
  type GoneMessage,
  Remaining,
  blockSentences,
  sharedWords,
  tellingTerms,
  withoutSentences,
} from './sentences.ts'

// A block is written from what was said, and no lineage says from which words. So when messages are forgotten, the
// sentences of blocks that share their telling words go with them.

/** The newest remaining messages of people that are compared: some 15 ms of a processor. An older one counts as not there. */
const mostCompared = 2_000
const readAtOnce = 200

/** The messages that go, as blocks are compared with them. */
export interface GoneWords {
  readonly partition: number
  readonly language: string
  readonly messages: readonly GoneMessage[]
  /** The ordinals of these messages. */
  readonly ords: ReadonlySet<number>
}

/** A block that loses sentences, with all its texts. */
interface Losing {
  readonly id: number
  readonly texts: readonly BlockText[]
  readonly gone: readonly BlockSentence[]
}

/** Reads the words of messages that go. Undefined in a partition without a block and without a note of an agent. */
export function* goneWords(partition: number, ords: readonly number[]): Program<GoneWords | undefined> {
  return ords.length > 0 && (yield* hasWrittenWords(partition)) ? yield* wordsOfGone(partition, ords) : undefined
}

/** Tells whether a partition has a block or a note of an agent: their words name no message. */
export function* hasWrittenWords(partition: number): Program<boolean> {
  const [texts, hasNotes] = yield* abreast([textsOfBlocks(partition), hasAgentNotes(partition)])
  return texts.length > 0 || hasNotes
}

/** Reads the words of messages that go, to compare them with what was written. */
export function* wordsOfGone(partition: number, ords: readonly number[]): Program<GoneWords | undefined> {
  if (ords.length === 0) return undefined
  const language = (yield* partitionLanguage(partition)) || 'en'
  const messages: GoneMessage[] = []
  for (let at = 0; at < ords.length; at += readAtOnce)
    for (const { content, recorded_at: recordedAt } of yield* contentsAt(partition, ords.slice(at, at + readAtOnce)))
      messages.push({ terms: tellingTerms(content, language), recordedAt })
  return { partition, language, messages, ords: new Set(ords) }
}

/** Counts the blocks that lose sentences. Those of a session that goes as a whole are left out. */
export function* countLosing(words: GoneWords, session?: number): Program<number> {
  const losing = yield* losingBlocks(words)
  const rows =
    losing.length === 0
      ? []
      : yield* blocksAt(
          words.partition,
          losing.map(({ id }) => id),
        )
  return rows.filter((row) => session === undefined || row.session_id !== session).length
}

/** Erases the sentences of blocks that rest on messages that go, from all their texts. Returns the number of blocks. */
export function* forgetSentences(words: GoneWords, needles: Needles, now: number): Program<number> {
  const losing = yield* losingBlocks(words)
  const rows =
    losing.length === 0
      ? []
      : yield* blocksAt(
          words.partition,
          losing.map(({ id }) => id),
        )
  // The last first: a block that goes moves those after it.
  for (const row of rows.toSorted((one, other) => other.place - one.place)) {
    const { texts, gone } = losing.find(({ id }) => id === row.id) ?? { texts: [], gone: [] }
    yield* takeOut(row, texts, gone, needles, now)
  }
  return rows.length
}

function* losingBlocks(words: GoneWords): Program<readonly Losing[]> {
  const { partition, language } = words
  const blocks = [...Map.groupBy(yield* textsOfBlocks(partition), ({ block_id: id }) => id)].map(([id, texts]) => {
    const sentences = blockSentences(texts, language)
    return { id, texts, sentences }
  })
  const gone = yield* sentencesGone(
    words,
    blocks.flatMap((block) => block.sentences),
  )
  return blocks.flatMap(({ id, texts, sentences }) => {
    const lost = sentences.filter((sentence) => gone.has(sentence))
    return lost.length === 0 ? [] : [{ id, texts, gone: lost }]
  })
}

/** Returns those of some sentences that rest on messages that go, and on none that stays. */
export function* sentencesGone(
  { partition, language, messages, ords }: GoneWords,
  sentences: readonly BlockSentence[],
): Program<ReadonlySet<BlockSentence>> {
  const asked = sentences.flatMap((sentence) => sharedWords(sentence, messages))
  if (asked.length === 0) return new Set()
  const remaining = new Remaining(asked)
  let before = Number.MAX_SAFE_INTEGER
  for (let compared = 0; compared < mostCompared && before > 0; compared += readAtOnce) {
    const some = yield* saidByPeople(partition, before, readAtOnce)
    for (const { ord, content } of some) if (!ords.has(ord)) remaining.add(content, language)
    before = some.length < readAtOnce ? 0 : (some.at(-1)?.ord ?? 0)
  }
  return remaining.gone()
}

function* takeOut(
  row: BlockTable,
  texts: readonly BlockText[],
  gone: readonly BlockSentence[],
  needles: Needles,
  now: number,
): Program<void> {
  const lost = new Set(gone.map(({ text }) => text))
  needles.add([...lost].map((text) => new TextEncoder().encode(text)).filter(({ length }) => length >= leastTelling))
  // A database page may still hold a copy of a revision that was dropped before.
  if (texts.length < row.revision) needles.lose()
  const content = withoutSentences(row.content, lost)
  if (content === '') return yield* eraseBlock(row, needles)
  yield* rewriteTexts(
    row.partition_id,
    texts
      .map((text) => ({ ...text, content: withoutSentences(text.content, lost) }))
      .filter((text, place) => text.content !== texts[place]?.content),
  )
  const item = yield* itemOfBlock(yield* nearTo(row.partition_id), row)
  if (item !== undefined) yield* eraseItems([item], needles)
  if (content !== row.content) yield* changeBlock({ ...row, content })
  const scope = { partition: row.partition_id, session: row.session_id }
  yield* indexBlock({ id: uuidText(row.uuid), name: row.name, text: content, createdAt: row.created_at }, scope, now)
}
