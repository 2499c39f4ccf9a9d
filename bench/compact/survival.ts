import { estimate } from '../../packages/varve/src/context/compact/estimate.ts'
import { openMemory } from '../../packages/varve/src/index.ts'
import { codingConversation } from './conversation.ts'
import { keyFacts, type KeyFact } from './facts.ts'

export interface Survival {
  readonly compactions: number
  readonly notesTokens: number
  readonly tokens: number
  /** Shares of the facts: in the notes, in all remaining text, and in the notes by kind. */
  readonly inNotes: number
  readonly inAll: number
  readonly byKind: Readonly<Record<KeyFact['kind'], number>>
}

const kinds = ['path', 'id', 'error', 'decision'] as const

/** Returns the shares of the key facts that remain after a conversation was compacted so many times on its way. */
export async function surviving(tokens: number, compactions: number, maxTokens: number): Promise<Survival> {
  const messages = codingConversation(tokens)
  await using memory = await openMemory({ store: 'memory:', upkeep: 'manual', layers: { gists: false, facts: false, instructions: false } })
  const ada = memory.for({ project: 'bench', user: 'ada' })
  let list: object[] = []
  for (let part = 0; part < compactions; part += 1) {
    const said = messages.slice(
      Math.floor((part * messages.length) / compactions),
      Math.floor(((part + 1) * messages.length) / compactions),
    )
    await ada.append('long', said)
    list.push(...said)
    await ada.notes.update('long')
    list = await ada.compact(list, { session: 'long', maxTokens })
  }
  const notes = list.map(textOf).find((text) => text.startsWith('<memory mark=')) ?? ''
  const all = list.map(textOf).join('\n')
  return {
    compactions,
    notesTokens: estimate(notes, Number.POSITIVE_INFINITY),
    tokens: estimate(all, Number.POSITIVE_INFINITY),
    inNotes: shareIn(notes, keyFacts),
    inAll: shareIn(all, keyFacts),
    byKind: {
      path: shareOf(notes, 'path'),
      id: shareOf(notes, 'id'),
      error: shareOf(notes, 'error'),
      decision: shareOf(notes, 'decision'),
    },
  }
}

function shareOf(text: string, kind: (typeof kinds)[number]): number {
  return shareIn(
    text,
    keyFacts.filter((fact) => fact.kind === kind),
  )
}

/** Returns the share of the facts that one line still tells with all of its words. */
function shareIn(text: string, facts: readonly KeyFact[]): number {
  const lines = text.split('\n')
  return facts.filter(({ probe }) => lines.some((line) => probe.every((word) => line.includes(word)))).length / facts.length
}

function textOf(message: object): string {
  const content: unknown = Reflect.get(message, 'content')
  return typeof content === 'string' ? content : JSON.stringify(content)
}
