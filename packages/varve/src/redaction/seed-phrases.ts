import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Finding } from './finding.ts'

const words: ReadonlySet<string> = new Set(wordlist)

/** The fewest words of a seed phrase (BIP-39: 12, 15, 18, 21 or 24), and of a phrase that is named as one. */
const fewest = 12
const fewestNamed = 9

const names =
  /seed|mnemonic|recovery|recuperación|récupération|wiederherstellung|wallet|bip-?39|metamask|ledger|trezor|phantom|助记词|助記詞|シードフレーズ|ニーモニック/i

/** A run of short words that only blanks, commas or their numbers part. */
const run = new RegExp(
  String.raw`(?<![A-Za-zÀ-ɏ0-9'’-])(?:\d{1,2}[.):]\s?)?[a-z]{3,8}` +
    String.raw`(?:(?:[,;]?\s{1,3}|[,;])(?:\d{1,2}[.):]?\s{0,2})?[a-z]{3,8}){8,47}(?![A-Za-zÀ-ɏ'’-])`,
  'gi',
)

/** Finds seed phrases of wallets by the words of BIP-39. */
export function findSeedPhrases(text: string): Finding[] {
  const found: Finding[] = []
  for (const match of text.matchAll(run)) {
    const least = names.test(text.slice(Math.max(0, match.index - 80), match.index)) ? fewestNamed : fewest
    found.push(...phrasesIn(match[0], match.index, least))
  }
  return found
}

/** Finds the longest runs of words that are all in the list. */
function phrasesIn(text: string, start: number, least: number): Finding[] {
  const found: Finding[] = []
  let first: RegExpExecArray | undefined
  let last = 0
  let count = 0
  const different = new Set<string>()
  const close = (): void => {
    if (first !== undefined && count >= least && different.size > least / 2)
      found.push({ from: start + first.index, to: start + last, label: 'seed phrase', specific: true })
    first = undefined
    count = 0
    different.clear()
  }
  for (const match of text.matchAll(/[a-z]+/gi)) {
    if (!words.has(match[0].toLowerCase())) {
      close()
      continue
    }
    first ??= match
    last = match.index + match[0].length
    count += 1
    different.add(match[0].toLowerCase())
  }
  close()
  return found
}
