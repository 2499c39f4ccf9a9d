import { createHash } from 'node:crypto'

const words = ['Kiosk', 'lake', 'pricing', 'ångström', 'winter', 'été', '漢字', 'receipt', '🦆', 'sediment', 'the', 'decided', 'Ωmega', 'harbour', 'train', '\t', '“quoted”', 'naïve']

/** The text of a message, from its key alone: what comes back can be checked byte for byte without having kept it. */
export function textOf(key: string, length = 24): string {
  let digest = createHash('sha256').update(key).digest()
  const chosen: string[] = []
  while (chosen.length < length) {
    for (const byte of digest) chosen.push(words[byte % words.length] ?? '')
    digest = createHash('sha256').update(digest).digest()
  }
  return `${key} ${createHash('sha256').update(`${key}.`).digest('hex')} ${chosen.slice(0, length).join(' ')}`
}

/** The key of a text, or undefined when the text is not, byte for byte, the one of its key. */
export function keyOf(text: string, length = 24): string | undefined {
  const key = text.slice(0, Math.max(0, text.indexOf(' ')))
  return text === textOf(key, length) ? key : undefined
}
