import { openingKind } from '../context/opening-question.ts'
import { countTelling } from '../index/query.ts'

/** A longer prompt says more than "go on". In UTF-16 code units. */
const mostCharacters = 120

const questionMark = /[?？؟՞]/u

/**
 * Tells whether a prompt only steers the work, as "yes please" and "fix it" do: it has no word that tells something, or one and
 * no question mark. Memory would answer it with whatever shares that word. "Where were we?" does not steer: it asks memory. Of
 * 51 such prompts 45 are recognized, and of 44 short requests one is taken for one: a single word
 * (test/e2e/hooks-steering.test.ts).
 */
export function isSteering(prompt: string): boolean {
  if (prompt.length > mostCharacters || asksBack(prompt)) return false
  const telling = countTelling(prompt, 2)
  return telling === 0 || (telling === 1 && !questionMark.test(prompt))
}

/** Tells whether a prompt asks for the past or the person, and names no matter: "what did we talk about last time?". */
export function asksBack(prompt: string): boolean {
  return openingKind(prompt) === 'back'
}
