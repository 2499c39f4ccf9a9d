import { wrongUsage } from './command-error.ts'

const wholeLength = 36
/** The shortest beginning of an id. Ids begin with a time, so a shorter beginning says next to nothing. */
const shortestLength = 8

/** Finds the whole id that begins with a text. Without such an id it gives the text back: the memory reports that it is not there. */
export async function wholeId(text: string, many: string, ids: () => Promise<readonly string[]>, next: string): Promise<string> {
  const start = text.toLowerCase()
  if (start.length >= wholeLength || start.length < shortestLength || !/^[\da-f-]+$/.test(start)) return text
  const [id = text, ...others] = new Set((await ids()).filter((one) => one.startsWith(start)))
  if (others.length === 0) return id
  throw wrongUsage(`${text} begins the ids of ${others.length + 1} ${many}: give more of it.`, next)
}
