const units = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

const small = new Map([
  ...units.map((word, value) => [word, value] as const),
  ...tens.map((word, at) => [word, (at + 2) * 10] as const),
  ['dozen', 12] as const,
])
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
])

const anyWord = [...small.keys(), ...scales.keys()].join('|')
const run = new RegExp(`\\b(?:${anyWord})(?:(?:[ -]| and )(?:${anyWord}))*\\b`, 'g')

/**
 * Finds numbers in English words, and gives them in figures: "twenty-five" is 25, "two thousand and six" 2006. The text
 * is in lower case.
 */
export function spelledNumbers(text: string): string[] {
  return Array.from(text.matchAll(run), ([words]) => valuesOf(words.split(/ and |[ -]/))).flat()
}

/** Gives the values of a run of words: of "two three" each number by itself. */
function valuesOf(words: readonly string[]): string[] {
  const found: number[] = []
  let [total, current, last] = [0, 0, Number.POSITIVE_INFINITY]
  const end = (): void => {
    if (total + current > 0) found.push(total + current)
    ;[total, current] = [0, 0]
  }
  for (const word of words) {
    const scale = scales.get(word)
    const value = small.get(word) ?? 0
    if (scale === undefined) {
      // After tens come units, after hundreds both. Otherwise another number begins.
      if (last <= value || last < 20) end()
      current += value
    } else if (scale === 100) current = Math.max(1, current) * 100
    else [total, current] = [total + Math.max(1, current) * scale, 0]
    last = scale ?? value
  }
  end()
  return found.map(String)
}
