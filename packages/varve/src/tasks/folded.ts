/** Folds a text for comparison: one form for each letter and digit, no case, no invisible characters, plain apostrophes. */
export function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(otherDigits, plainDigit)
}

/** Digits of other scripts, each ten in a row from its zero: Arabic, Persian, Devanagari, Bengali, Thai. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50] as const
const otherDigits = new RegExp(`[${zeros.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('')}]`, 'g')

function plainDigit(digit: string): string {
  const code = digit.charCodeAt(0)
  return String(code - (zeros.findLast((zero) => zero <= code) ?? code))
}
