import type { Block } from '../blocks/block.ts'
import { firstBlocks } from '../blocks/read-blocks.ts'
import type { Program } from '../storage/program.ts'
import type { Candidate } from './candidates.ts'
import { contextName, contextText } from './quoted-text.ts'
import type { TierInput } from './tier-input.ts'

/** Gives working memory in its order: the user's blocks, those of the running session, and the project's. */
export function* workingMemory({ partition, request }: TierInput): Program<readonly Candidate[]> {
  const { session, tiers } = request
  const { limit } = tiers.blocks
  const listed = yield* firstBlocks(partition, undefined, limit)
  const ofSession = session === undefined ? [] : yield* firstBlocks(partition, session, limit)
  const isShared = ({ shared }: Block): boolean => shared === true
  const inOrder = [...listed.filter((block) => !isShared(block)), ...ofSession, ...listed.filter(isShared)]
  return inOrder.slice(0, limit).map(blockCandidate)
}

const whoseBlock = { user: '', session: ' (this conversation)', project: ' (all members of this project)' } as const

/** Makes a candidate from a block: its text under its name, in the order shown. */
export function blockCandidate({ id, name, text, scope, position, revision }: Block, place: number): Candidate {
  const title = `${contextName(name)}${whoseBlock[scope]}`
  return {
    tier: 'blocks',
    id,
    reason: `block ${position} of the ${scope}'s working memory`,
    line: `${title}:\n  ${contextText(text)}`,
    made: { revision },
    at: 0,
    seq: place,
    session: '',
  }
}
