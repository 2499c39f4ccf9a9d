/** Returns an id and ids made of it: what a stranger tries who has seen one, or guesses the next. */
export function craftedFrom(id: string): readonly string[] {
  const last = id.at(-1) ?? ''
  return [...new Set([id, id.toUpperCase(), ` ${id}`, `${id} `, `${id}%`, id.slice(0, -1), `${id.slice(0, -1)}${nextOf(last)}`, `./${id}`])]
}

/** Returns an id of the same shape that was never given out. */
export function neverGiven(id: string): string {
  let place = 0
  return id.replaceAll(/[0-9a-f]/gi, (digit) => {
    place += 1
    // The head of an id may hold its version or its time: only the tail is changed.
    return place <= 16 && id.length > 20 ? digit : nextOf(digit)
  })
}

function nextOf(digit: string): string {
  const digits = '0123456789abcdef'
  const at = digits.indexOf(digit.toLowerCase())
  return at === -1 ? '0' : (digits[(at + 7) % digits.length] ?? '0')
}
