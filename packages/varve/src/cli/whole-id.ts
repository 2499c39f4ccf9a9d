import { wrongUsage } from './command-error.ts'

const wholeLength = 36
/** Ids begin with the time at which something was written: shorter beginnings say next to nothing. */
const shortestLength = 8

/**
 * The whole id that some text begins, among these. What begins none is given back as it is: the memory says that it is
 * not there.
 */
export async function wholeId(text: string, many: string, ids: () => Promise<readonly string[]>, next: string): Promise<string> {
  const start = text.toLowerCase()
  if (start.length >= wholeLength || start.length < shortestLength || !/^[\da-f-]+$/.test(start)) return text
  const [id = text, ...others] = new Set((await ids()).filter((one) => one.startsWith(start)))
  if (others.length === 0) return id
  throw wrongUsage(`${text} begins the ids of ${others.length + 1} ${many}: give more of it.`, next)
}
