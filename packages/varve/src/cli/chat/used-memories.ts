import { VarveError } from '../../errors/varve-error.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { harmlessLine } from '../terminal.ts'

/** A memory that a model read: one line of a context. */
export interface UsedMemory {
  readonly kind: string
  /** Varve's id of it. */
  readonly id?: string
  /** The day on which it was said, where the context tells it. */
  readonly day?: string
  readonly text: string
}

const dayLine = /^\d{4}-\d{2}-\d{2}$/gm
const longest = 100

/** Gives what a context showed, in its order. Nothing when it is not kept. */
export async function usedMemories(ada: Pick<UserMemory, 'contexts'>, id: string): Promise<UsedMemory[]> {
  try {
    const { sections } = await ada.contexts.get(id)
    return sections.flatMap(({ text: whole, items }) =>
      items.flatMap(({ kind, id: of, text }) => {
        if (text === undefined) return []
        const day = dayBefore(whole, text)
        return [{ kind, text, ...(of === undefined ? {} : { id: of }), ...(day === undefined ? {} : { day }) }]
      }),
    )
  } catch (error) {
    if (VarveError.is(error) && error.code === 'NOT_FOUND') return []
    throw error
  }
}

/** Gives the day that stands over a line of a section. */
function dayBefore(section: string, line: string): string | undefined {
  const at = section.indexOf(line)
  return at === -1 ? undefined : [...section.slice(0, at).matchAll(dayLine)].at(-1)?.[0]
}

/** Makes a line of each memory: its number, kind, day and words, harmless for a terminal. */
export function usedLines(used: readonly UsedMemory[]): string[] {
  return used.map(({ kind, day, text }, at) => {
    const words = harmlessLine(text.replace(/^- /, ''))
    const short = words.length > longest ? `${words.slice(0, longest).toWellFormed()}…` : words
    return `  ${at + 1}. ${kind}${day === undefined ? '' : ` ${day}`}  ${short}`
  })
}
