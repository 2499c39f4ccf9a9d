import { KeptNodes } from '../bank/kept-nodes.ts'
import { periodOfPath } from '../bank/path.ts'
import { bulletsOfOne, fairDigest } from '../bank/member-share.ts'
import { type DigestBullet, digestBounds } from '../models/writer.ts'
import { type RedactionSet, redact } from '../redaction/redact.ts'
import type { DueBank } from '../storage/derived/banks.ts'
import type { NewDigest } from '../storage/derived/distilled.ts'
import { bankLanguage } from '../storage/log/sessions.ts'
import { composeDigest } from './compose-digest.ts'
import { withInheritedDates } from './dated/inherited-dates.ts'
import { digestOutlines } from './digest-reading.ts'
import type { DigestChild, DigestOutline } from './digest-outline.ts'
import { type DistilStore, promptMark, shareable, sized, writerIn } from './distil-store.ts'
import type { Written } from '../tasks/parts/read-span.ts'
import type { SizedPrompt } from './asked-model.ts'
import { type DigestEntry, digestPrompt } from '../tasks/digest-prompt.ts'
import { parseDigest } from '../tasks/parse-whole.ts'
import type { Problem } from '../tasks/problem.ts'
import { retryPrompt } from '../tasks/retry-prompt.ts'

/** Digests the entries of a bank. */
export class Digests {
  readonly #store: DistilStore
  readonly #kept = new KeptNodes()

  constructor(store: DistilStore) {
    this.#store = store
  }

  outlines(bank: DueBank, now: number, again: boolean): Promise<readonly DigestOutline[]> {
    return this.#store.read(digestOutlines(this.#kept, bank, now, again))
  }

  async ask({ children, granularity, path, isShared }: DigestOutline, maxTokens: number, problem?: Problem): Promise<SizedPrompt> {
    let entries = await entriesWithoutSecrets(children, setOf(isShared))
    for (let most = Math.max(...entries.map(({ bullets }) => bullets.length)); ; most -= 1) {
      const prompt = digestPrompt(entries, { mark: promptMark(this.#store), granularity, period: periodOfPath(path) })
      const asked = sized(problem === undefined ? prompt : retryPrompt(prompt, problem))
      if (asked.tokens <= maxTokens || most <= 1) return asked
      entries = entries.map(({ label, bullets }) => ({ label, bullets: bullets.slice(0, most - 1) }))
    }
  }

  async parse(outline: DigestOutline, object: Readonly<Record<string, unknown>>) {
    const { children, granularity, path, isShared } = outline
    const entries = await entriesWithoutSecrets(children, setOf(isShared))
    const parsed = parseDigest(object, entries, { granularity, period: periodOfPath(path) })
    if ('problem' in parsed) return parsed
    const placed = parsed.sentences.map(({ text, from }) => ({ text, from: from.map((number) => number - 1) }))
    const bullets = withInheritedDates(placed, ({ from }) => from.flatMap((at) => entries[at]?.bullets ?? []))
    const held = heldBullets(outline, bullets)
    // What a model gave one member beyond their share goes to the others, in their own words.
    return { bullets: held.length === bullets.length ? bullets : heldBullets(outline, [...held, ...(await this.extract(outline))]) }
  }

  async extract({ partition, children, memberShare, isShared }: DigestOutline): Promise<readonly DigestBullet[]> {
    const writer = writerIn(await this.#store.read(bankLanguage(partition)))
    const entries = isShared ? await entriesWithoutSecrets(children, 'shared') : children
    const membersOf = new Map<string, readonly string[]>()
    for (const [at, { bullets }] of entries.entries())
      for (const [place, text] of bullets.entries())
        membersOf.set(text, [...(membersOf.get(text) ?? []), ...(children[at]?.members[place] ?? [])])
    return fairDigest(
      writer.digest,
      membersOf,
      memberShare,
    )(
      entries.map(({ bullets }, at) => ({ bullets: bullets.map((text) => ({ text })), weight: children[at]?.conversations ?? 1 })),
      digestBounds,
    )
  }

  async compose(outline: DigestOutline, bullets: readonly DigestBullet[], written: Written): Promise<NewDigest> {
    const safe = outline.isShared ? await shareable(bullets) : bullets
    return composeDigest(outline, safe, await this.#store.read(bankLanguage(outline.partition)), written)
  }
}

function setOf(isShared: boolean): RedactionSet {
  return isShared ? 'shared' : 'model'
}

/** Gives the members behind a bullet's source: of the same line, or of all its lines. */
function membersBehind(text: string, child: DigestChild | undefined): readonly string[] {
  const place = child?.bullets.indexOf(text) ?? -1
  return child?.members[place] ?? child?.members.flat() ?? []
}

/** Keeps the first bullets within each member's share, and within the bounds of a digest. */
function heldBullets({ children, memberShare }: DigestOutline, bullets: readonly DigestBullet[]): readonly DigestBullet[] {
  const all = new Set(children.flatMap(({ members }) => members.flat()))
  if (all.size < 2 || memberShare >= 1) return bullets
  const most = bulletsOfOne(digestBounds.maxBullets, memberShare, all.size)
  const taken = new Map<string, number>()
  const kept: DigestBullet[] = []
  for (const bullet of bullets) {
    // A bullet that rests on the words of several is nobody's share.
    const [member, other] = new Set(bullet.from.flatMap((at) => membersBehind(bullet.text, children[at])))
    const count = member === undefined || other !== undefined ? undefined : (taken.get(member) ?? 0) + 1
    if (kept.length === digestBounds.maxBullets || (count ?? 0) > most || kept.some(({ text }) => text === bullet.text)) continue
    if (member !== undefined && count !== undefined) taken.set(member, count)
    kept.push(bullet)
  }
  return kept
}

async function entriesWithoutSecrets(children: readonly DigestEntry[], set: RedactionSet): Promise<readonly DigestEntry[]> {
  const redacted: DigestEntry[] = []
  for (const { label, bullets } of children) {
    const {
      texts: [first = '', ...others],
    } = await redact([label, ...bullets], set)
    redacted.push({ label: first, bullets: others })
  }
  return redacted
}
