import * as z from 'zod'
import type { RepairReason } from '../reasons.ts'

const node = z.object({ parent: z.string().nullish().catch(undefined), message: z.unknown().optional() })

export interface TreeNode {
  readonly parent: string | undefined
  /** null at the root and at other nodes that only hold the tree together. */
  readonly message: unknown
}

export interface Path {
  /** The messages from the root to the current node. */
  readonly messages: readonly unknown[]
  /** The number of messages on other branches. */
  readonly elsewhere: number
  readonly repairs: readonly RepairReason[]
}

/**
 * Returns the branch that ChatGPT shows: from `current` up to its root, reversed. It takes at most one step a node.
 *
 * A tree without a usable current node is read from its newest message. The way ends at a parent that is missing or was
 * passed before.
 */
export function pathTo(current: string | undefined, mapping: ReadonlyMap<string, unknown>): Path {
  const nodes = new Map([...mapping].map(([id, value]) => [id, nodeOf(value)]))
  const repairs: RepairReason[] = []
  const known = current !== undefined && nodes.has(current)
  if (!known && nodes.size > 0) repairs.push('current node missing')
  const passed = new Set<string>()
  const messages: unknown[] = []
  for (let id = known ? current : newest(nodes); id !== undefined;) {
    const at = nodes.get(id)
    if (at === undefined || passed.has(id)) {
      repairs.push(at === undefined ? 'parent missing' : 'parent loop')
      break
    }
    passed.add(id)
    if (at.message !== null) messages.push(at.message)
    id = at.parent
  }
  const all = [...nodes.values()].filter(({ message }) => message !== null).length
  return { messages: messages.reverse(), elsewhere: all - messages.length, repairs }
}

function nodeOf(value: unknown): TreeNode {
  const parsed = node.safeParse(value)
  return parsed.success
    ? { parent: parsed.data.parent ?? undefined, message: parsed.data.message ?? null }
    : { parent: undefined, message: null }
}

const timed = z.object({ create_time: z.number() })

/** Returns the node of the newest message; the last one in the file when no message has a time. */
function newest(nodes: ReadonlyMap<string, TreeNode>): string | undefined {
  let found: string | undefined
  let foundAt = -Infinity
  for (const [id, { message }] of nodes) {
    const parsed = timed.safeParse(message)
    const at = parsed.success ? parsed.data.create_time : -Infinity
    if (message === null || at < foundAt) continue
    found = id
    foundAt = at
  }
  return found
}
