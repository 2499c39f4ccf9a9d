import { rungOf } from '../bank/path.ts'
import { itemTerms } from '../index/item-terms.ts'
import { byHand, type DigestBullet, digestBounds } from '../models/writer.ts'
import type { NewDigest } from '../storage/derived/distilled.ts'
import { itemKinds } from '../storage/derived/items.ts'
import { notedStandsFor } from '../storage/derived/item-lineage.ts'
import type { DigestOutline } from './digest-outline.ts'
import type { Written } from '../tasks/parts/read-span.ts'

/** Makes the digest of an outline. A person's words stay first; newer bullets follow as far as there is room. */
export function composeDigest(
  outline: DigestOutline,
  bullets: readonly DigestBullet[],
  language: string,
  { writer, provisional }: Written,
): NewDigest {
  const { granularity, path, hand, children } = outline
  const own: readonly DigestBullet[] = hand === null ? [] : hand.split('\n').map((text) => ({ text, from: [] }))
  const all = [...own, ...bullets.slice(0, Math.max(1, digestBounds.maxBullets - own.length))]
  const ords = children.map(({ child: [ord] }) => ord)
  return {
    children: ords,
    item: {
      kind: itemKinds.bank,
      rung: rungOf(granularity),
      period: path,
      sentences: all.map(({ text, from }) => ({ text, from: from.map((place) => ords[place] ?? 0) })),
      spans:
        hand === null
          ? []
          : notedStandsFor(children.flatMap(({ child: [ord], messages, isNew }) => (isNew ? [] : [[ord, messages] as const]))),
      madeOf: children.map(({ child }) => child),
      hand,
      handSeq: hand === null ? 0 : 1,
      messages: children.reduce((sum, child) => sum + child.messages, 0),
      conversations: children.reduce((sum, child) => sum + child.conversations, 0),
      firstAt: Math.min(...children.map(({ firstAt }) => firstAt)),
      lastAt: Math.max(...children.map(({ lastAt }) => lastAt)),
      writer: hand === null ? writer : byHand,
      provisional,
      ...itemTerms(all.map(({ text }) => text).join('\n'), language),
    },
  }
}
