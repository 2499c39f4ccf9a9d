import { type BankNode, compare, parentOf, rungOfNode } from './bank-node.ts'
import { type Frontier, frontier, type FrontierOptions } from './frontier.ts'
import { entryText, flat, headingLine, preambleLine, renderBank } from './render.ts'
import type { BankEntry } from './show-frontier.ts'
import { withoutSource } from './source-date.ts'
import { type CountTokens, TokenCounts } from './token-counts.ts'

/** The part of the room over which a shorter form of the newest line is shown. */
const mostShare = 0.5

/** The words that a shorter form keeps of a longer one, and the fewest of any. */
const shorterBy = 0.75
const leastWords = 4

/** The most times that the other entries are rendered anew, with less room, until all of it fits. */
const mostTries = 4

/**
 * Renders a bank as `frontier` does, with one line of the newest talk in any case. Where the frontier shows none of its
 * lines, the talk's first one stands beside the digests, and they have the room that it leaves. Pins come first: the line
 * is left out where they leave no room for it.
 */
export function frontierWithNewest(nodes: readonly BankNode[], options: FrontierOptions): Frontier {
  const shown = frontier(nodes, options)
  const newest = newestTalk(nodes)
  if (newest === undefined || tells(shown, newest)) return shown
  const others = without(nodes, newest)
  for (const form of formsOf(newest, options.maxTokens * mostShare, options.count)) {
    const found = beside(others, form, options)
    if (found === undefined || pinsIn(found) < pinsIn(shown)) continue
    // A coarser digest may have the same line.
    if (!tells({ entries: found.entries.filter(({ id }) => id !== newest.id) }, newest)) return found
    const coarser = frontier(nodes, { ...options, maxTokens: found.tokens })
    return tells(coarser, newest) && pinsIn(coarser) >= pinsIn(shown) ? coarser : shown
  }
  return shown
}

/** Renders one line of the newest talk and nothing else, without the block's first line. Undefined when it does not fit. */
export function newestLineAlone(nodes: readonly BankNode[], options: FrontierOptions): Frontier | undefined {
  const newest = newestTalk(nodes)
  if (newest === undefined) return undefined
  const { count, maxTokens } = options
  for (const form of formsOf(newest, maxTokens, count)) {
    const text = (headingLine(form.granularity) + entryText(form)).trimEnd()
    const tokens = count(text)
    if (tokens > maxTokens) continue
    const { omitted } = frontier(without(nodes, newest), { ...options, maxTokens: 0 })
    return { entries: [form], omitted, text, tokens, due: [] }
  }
  return undefined
}

/** Finds the conversation in which something was said last, or the day that was made from it alone. */
export function newestTalk(nodes: readonly BankNode[]): BankNode | undefined {
  let newest: BankNode | undefined
  for (const node of nodes) {
    if (node.granularity !== 'conversation' || node.conversations === 0 || !node.bullets.some((bullet) => /\S/.test(bullet))) continue
    const order = newest === undefined ? 1 : node.lastAt - newest.lastAt || node.firstAt - newest.firstAt || compare(node.id, newest.id)
    if (order > 0) newest = node
  }
  // A person may have corrected the day.
  const made = nodes.find(
    ({ granularity, children: [only, second] }) =>
      granularity === 'day' && second === undefined && only !== undefined && only.id === newest?.id && only.version === newest.version,
  )
  return made !== undefined && linesOf(made).length > 0 ? made : newest
}

function linesOf({ bullets }: BankNode): readonly string[] {
  return bullets.map(flat).filter((text) => text !== '')
}

function tells({ entries }: Pick<Frontier, 'entries'>, newest: BankNode): boolean {
  const lines = new Set(linesOf(newest))
  return entries.some(({ bullets }) => bullets.some((bullet) => lines.has(bullet) || lines.has(withoutSource(bullet))))
}

function pinsIn({ entries }: Frontier): number {
  return entries.filter(({ pinned }) => pinned).length
}

/** Takes the conversation out of what the others tell and count. Its node stays, since digests list it. */
function without(nodes: readonly BankNode[], newest: BankNode): readonly BankNode[] {
  const taken = new Set([newest.id, ...newest.children.map(({ id }) => id)])
  return nodes.map((node) => (taken.has(node.id) ? { ...node, bullets: [], members: [], conversations: 0, pinned: false } : node))
}

/** Gives forms of the first line, the most wanted first: with the title, without it, and cut. None but the last is over `most` tokens. */
function* formsOf(newest: BankNode, most: number, count: CountTokens): Generator<BankEntry> {
  const [first = ''] = linesOf(newest)
  const titled = entryOf(newest, first)
  if (count(entryText(titled)) <= most) yield titled
  const { title: _, ...untitled } = titled
  const words = first.split(' ')
  for (let kept = words.length; ; kept = Math.max(leastWords, Math.floor(kept * shorterBy))) {
    const isLast = kept <= leastWords
    const form = { ...untitled, bullets: [kept === words.length ? first : `${words.slice(0, kept).join(' ')} …`] }
    if (isLast || count(entryText(form)) <= most) yield form
    if (isLast) return
  }
}

function entryOf(node: BankNode, line: string): BankEntry {
  const { id, granularity, period, title } = node
  return {
    id,
    granularity,
    period,
    ...(title === undefined ? {} : { title }),
    bullets: [line],
    bulletsDropped: linesOf(node).length - 1,
    conversations: 1,
    pinned: false,
    besideDigest: false,
  }
}

/** Renders the line with the others in the room that it leaves. Undefined when the line does not fit. */
function beside(others: readonly BankNode[], line: BankEntry, options: FrontierOptions): Frontier | undefined {
  const { maxTokens, count } = options
  const own = TokenCounts.of(count).line(headingLine(line.granularity)) + count(entryText(line))
  if (own + TokenCounts.of(count).line(preambleLine) > maxTokens + 1) return undefined
  let room = maxTokens - own
  for (let tries = 0; tries < mostTries; tries += 1) {
    const rest = frontier(others, { ...options, maxTokens: Math.max(0, room) })
    const entries = placed({ ...line, besideDigest: rest.entries.some((entry) => isOver(entry, line)) }, rest.entries)
    const text = renderBank(entries, rest.omitted)
    const tokens = count(text)
    if (tokens <= maxTokens) return { entries, omitted: rest.omitted, text, tokens, due: rest.due }
    if (room <= 0) return undefined
    room = tries === mostTries - 2 ? 0 : room - (tokens - maxTokens)
  }
  return undefined
}

/** Tells whether an entry is the digest of a period in which a line lies. */
function isOver(entry: BankEntry, line: BankEntry): boolean {
  let { period } = line
  for (let at = rungOfNode(line); at < rungOfNode(entry); at += 1) period = parentOf(at, period)
  return rungOfNode(entry) > rungOfNode(line) && entry.period === period
}

/** Puts the line where it belongs: before all others of its granularity. */
function placed(line: BankEntry, others: readonly BankEntry[]): readonly BankEntry[] {
  const at = others.findIndex((other) => rungOfNode(other) >= rungOfNode(line))
  return at === -1 ? [...others, line] : others.toSpliced(at, 0, line)
}
