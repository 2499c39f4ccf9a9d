/**
 * Signs that a person does not see and a model reads: control characters, signs that Unicode lets a reader ignore, and
 * annotations. Line ends are none of them.
 */
const unseen = String.raw`\p{Default_Ignorable_Code_Point}\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufff9-\ufffb`
const ignorable = String.raw`[\p{Default_Ignorable_Code_Point}]`

/** Scripts whose letters join or stack, so that a joiner or a non-joiner changes a word. */
const joining =
  String.raw`[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}` +
  String.raw`\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]`
const spaceless = String.raw`[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`
const rightToLeft = /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}]/u

/** The most characters within a pair of direction marks that stays. */
const longestPair = 200
const plain = String.raw`[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029\u202a-\u202e\u2066-\u2069]{1,${longestPair}}`

/** Uses of such signs that writing needs. None of them stands in a row with another one, save in pictographs. */
const needed = [
  // The flags of England, Scotland and Wales.
  String.raw`\p{RGI_Emoji_Tag_Sequence}`,
  // Parts of one pictograph, and its form. Forms of signs, and of Chinese characters.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[\p{Emoji}\p{Extended_Pictographic}])[\ufe0e\ufe0f](?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}])`,
  ...[
    String.raw`(?<=[[\p{Sm}--[<>=~+\|]]0\p{scx=Mymr}\u3000-\u303f\uff00-\uff9f])[\ufe00\ufe01]`,
    String.raw`(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{scx=Mong})[\u180b-\u180f]`,
    String.raw`(?<=${joining})[\u200c\u200d]|[\u200c\u200d](?=${joining})`,
    String.raw`(?<=${spaceless})\u200b|\u200b(?=${spaceless})`,
    String.raw`(?<=\p{L})\xad(?=\p{L})`,
    String.raw`(?<=\p{M})\u034f`,
    // A pair that reaches no further than its line, and holds no other.
    String.raw`[\u2066-\u2068](?=${plain}\u2069)|(?<=[\u2066-\u2068]${plain})\u2069`,
    String.raw`[\u202a\u202b](?=${plain}\u202c)|(?<=[\u202a\u202b]${plain})\u202c`,
  ].map((one) => String.raw`(?<!${ignorable})(?:${one})(?!${ignorable})`),
].join('|')

/** Marks that tell the direction of what is beside them. */
const mark = String.raw`(?<!${ignorable})([\u200e\u200f\u061c])(?!${ignorable})`

const mayHide = new RegExp(`[${unseen}]`, 'u')
/** Made when a text has such a sign: that takes 1.4 ms. */
let sign: RegExp | undefined

/**
 * Shows signs that nobody sees as what they are: `[U+202E]`, and a run as `[U+E0049 and 57 more]`. Signs that writing
 * needs stay: joiners in Persian and Hindi, pictographs and flags, marks of direction beside letters from right to left.
 */
export function withUnseenShown(text: string): string {
  if (!mayHide.test(text)) return text
  let isMixed: boolean | undefined
  sign ??= new RegExp(String.raw`${needed}|${mark}|([${unseen}]+)`, 'gv')
  return text.replace(sign, (found, mark: string | undefined, run: string | undefined) => {
    if (run === undefined && (mark === undefined || (isMixed ??= rightToLeft.test(text)))) return found
    return shownAs(found)
  })
}

function shownAs(run: string): string {
  const signs = Array.from(run)
  const code = (signs[0]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return signs.length === 1 ? `[U+${code}]` : `[U+${code} and ${signs.length - 1} more]`
}
