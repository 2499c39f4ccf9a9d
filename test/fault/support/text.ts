import { createHash } from 'node:crypto'

const words = [
  'Kiosk',
  'lake',
  'pricing',
  'ångström',
  'winter',
  'été',
  '漢字',
  'receipt',
  '🦆',
  'sediment',
  'the',
  'decided',
  'Ωmega',
  'harbour',
  'train',
  '\t',
  '“quoted”',
  'naïve',
]

/**
 * Makes the text of a message from its key alone, so that it can be checked byte for byte later. Hardly two texts share
 * a run of bytes, so that a search of the files for one does not find another.
 */
export function textOf(key: string, length = 12): string {
  const chosen: string[] = []
  for (let digest = sha256(key); chosen.length < length; digest = sha256(digest)) {
    for (let at = 0; at < digest.length; at += 4)
      chosen.push(`${words[(digest[at] ?? 0) % words.length] ?? ''}${digest.toString('hex', at + 1, at + 4)}`)
  }
  return `${key} ${chosen.slice(0, length).join(' ')}`
}

/** Returns the key of a text; undefined when the text is not, byte for byte, the one of its key. */
export function keyOf(text: string, length?: number): string | undefined {
  const key = text.slice(0, Math.max(0, text.indexOf(' ')))
  return text === textOf(key, length) ? key : undefined
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest()
}
