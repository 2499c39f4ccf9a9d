const spacelessRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu

/** Characters that count as a word where a script has no spaces: about the length of a Chinese word or a Thai syllable. */
const charactersPerWord = 2

/** The end of a clause. A cut there reads better than one between two words. */
const clauseEnd = /[,;:.!?…—–、，；：。！？]$/u

/** Words of a text: runs between blanks that hold a letter or a digit; in scripts without spaces, every two characters begun. */
export function countWords(text: string): number {
  let words = 0
  const spaced = text.replace(spacelessRuns, (run) => {
    words += Math.ceil([...run].length / charactersPerWord)
    return ' '
  })
  for (const run of spaced.split(/\s+/u)) if (/[\p{L}\p{N}]/u.test(run)) words += 1
  return words
}

/** Cuts a text to so many words, at the end of a clause or of a word, with an ellipsis. */
export function cutWords(text: string, maxWords: number): string {
  if (countWords(text) <= maxWords) return text
  const pieces = text.match(/\s*\S+/gu) ?? []
  let kept = 0
  let words = 0
  let clause = 0
  for (const [place, piece] of pieces.entries()) {
    words += countWords(piece)
    if (words > maxWords) break
    kept = place + 1
    if (clauseEnd.test(piece) && words * 2 >= maxWords) clause = kept
  }
  if (kept === 0) return cutCharacters(pieces[0]?.trim() ?? '', maxWords)
  const whole = (clause > 0 ? pieces.slice(0, clause) : pieces.slice(0, kept)).join('').trim()
  // A long run without blanks, such as Chinese after a name, is cut within. Otherwise most of a sentence would be lost.
  const run = pieces[kept] ?? ''
  const next = clause === 0 && countWords(run) > 3 ? cutCharacters(run.trim(), maxWords - countWords(whole)) : ''
  return next === '' ? ellipsis(whole) : `${whole} ${next}`
}

function cutCharacters(run: string, maxWords: number): string {
  const kept = [...run].slice(0, Math.max(0, maxWords * charactersPerWord))
  // A change of scripts within a run makes its characters count as more words.
  while (kept.length > 0 && countWords(kept.join('')) > maxWords) kept.pop()
  return kept.length === 0 ? '' : ellipsis(kept.join(''))
}

function ellipsis(text: string): string {
  return `${text.replace(/[\s,;:.!?…—–、，；：。！？-]+$/u, '')} …`
}
