import { contentTerms } from '../../packages/varve/src/index/content-terms.ts'
import type { Context } from '../../packages/varve/src/index.ts'
import { withoutFences } from '../../packages/varve/src/messages/fence.ts'

/** The share of a message that a context shows: of its characters, and of the words that it shares with the question. */
export interface ShownPart {
  readonly text: number
  /** Weighed by rarity; undefined when it shares no word with the question. */
  readonly words: number | undefined
}

const day = /^\d{4}-\d\d-\d\d$/
const blanks = /[\s\p{Cc}]+/gu

/** Returns the text that a context shows of each message of earlier conversations, by the message's id. */
export function shownTexts({ sections }: Pick<Context, 'sections'>): Map<string, string> {
  const details = sections.find(({ tier }) => tier === 'details')
  const lines: string[] = []
  for (const line of details?.text.split('\n').slice(1) ?? []) {
    if (line === '' || line.startsWith('  ')) lines.push(`${lines.pop() ?? ''}\n${line}`)
    else if (!day.test(line)) lines.push(line)
  }
  return new Map(details?.items.map(({ id }, place) => [id, lines[place] ?? '']))
}

/** Measures how much of a message a text shows. `rarity` weighs a word. */
export function shownPart(message: string, question: string, shown: string, rarity: (term: string) => number): ShownPart {
  const wanted = new Set(contentTerms(question, 'en'))
  const shared = [...new Set(contentTerms(message, 'en'))].filter((term) => wanted.has(term))
  const said = new Set(contentTerms(shown, 'en'))
  const weigh = (terms: readonly string[]): number => terms.reduce((sum, term) => sum + rarity(term), 0)
  const whole = weigh(shared)
  return { text: shareOfText(message, shown), words: whole === 0 ? undefined : weigh(shared.filter((term) => said.has(term))) / whole }
}

/** Makes the weight of words among messages: rare ones weigh more, as in BM25. */
export function rarityAmong(messages: readonly string[]): (term: string) => number {
  const counts = new Map<string, number>()
  for (const message of messages) for (const term of new Set(contentTerms(message, 'en'))) counts.set(term, (counts.get(term) ?? 0) + 1)
  return (term) => {
    const count = counts.get(term) ?? 0
    return Math.log(1 + (messages.length - count + 0.5) / (count + 0.5))
  }
}

/** Returns the share of a message's characters, without blanks, in the parts of a line. The first part begins with the speaker. */
function shareOfText(message: string, shown: string): number {
  const whole = bare(message)
  const parts = shown.split('[…]').map(bare)
  const found = parts.map((part, place) => {
    if (whole.includes(part)) return part.length
    const said = part.slice(part.indexOf(':') + 1)
    return place === 0 && whole.includes(said) ? said.length : 0
  })
  const length = found.reduce((sum, one) => sum + one, 0)
  return whole === '' ? 0 : Math.min(1, length / whole.length)
}

function bare(text: string): string {
  return withoutFences(text).replace(blanks, '')
}
