/** Makes a pattern that finds any of some words, each whole, without regard to case. Alternatives are parted by "|". */
export function anyWord(...alternatives: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives.join('|')})(?![\p{L}\p{N}])`, 'iu')
}
