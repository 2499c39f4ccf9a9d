/** In shorter words one letter makes another word: Ann and Anna, Joan and John. */
const leastMisspelt = 5

/** Tells whether two words differ in one letter, or in the order of two that follow each other. */
export function isMisspelt(word: string, name: string): boolean {
  if (name.length < leastMisspelt || Math.abs(word.length - name.length) > 1) return false
  let from = 0
  while (from < word.length && word[from] === name[from]) from += 1
  const [rest, other] = [word.slice(from), name.slice(from)]
  return (
    rest.slice(1) === other.slice(1) ||
    rest.slice(1) === other ||
    rest === other.slice(1) ||
    (rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2))
  )
}
