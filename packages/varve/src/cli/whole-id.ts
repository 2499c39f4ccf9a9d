import { wrongUsage } from './command-error.ts'

const wholeLength = 36
/** The shortest beginning of an id. Ids begin with a time, so a shorter beginning says next to nothing. */
const shortestLength = 8

/**
 * Finds the whole id, among all of a list, that begins with a text. Without such an id it gives the text back: the memory
 * reports that it is not there.
 */
export async function wholeId(
  text: string,
  many: string,
  all: () => AsyncIterable<{ readonly id: string }>,
  next: string,
): Promise<string> {
  const start = text.toLowerCase()
  if (start.length >= wholeLength || start.length < shortestLength || !/^[\da-f-]+$/.test(start)) return text
  const ids = new Set<string>()
  for await (const { id } of all()) if (id.startsWith(start)) ids.add(id)
  const [id = text, ...others] = ids
  if (others.length === 0) return id
  throw wrongUsage(`${text} begins the ids of ${others.length + 1} ${many}: give more of it.`, next)
}
