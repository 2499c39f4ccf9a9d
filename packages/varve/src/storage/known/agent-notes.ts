import { sql } from 'kysely'
import { addedInstructions } from '../derived/instructions.ts'
import type { AssertionTable, InstructionTable } from '../known-tables.ts'
import { byHand } from '../../models/writer.ts'
import { findKnownOf } from '../partitions.ts'
import { abreast, all, type Program } from '../program.ts'
import { statement } from '../statement.ts'

// What agents noted in their own name: facts and instructions without a message as a source.

const factsNotedIn = statement<{ near: string; session: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('assertion')
    .selectAll()
    .where('noted_in', '=', p('session'))
    .$call(d.among(p('near')))
    .where('noted_in', '>', sql<number>`0`)
    .limit(p('limit')),
)

const instructionsNotedIn = statement<{ partition: number; sessions: string }>()((db, p, d) =>
  db
    .selectFrom('instruction')
    .selectAll()
    .where('noted_in', 'in', d.numbers(p('sessions')))
    .$call(d.within(p('partition')))
    .where('noted_in', '>', sql<number>`0`),
)

const factNotes = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('assertion')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('of_other', '=', sql<number>`3`)
    .orderBy('ord'),
)

/** Facts and instructions that agents noted. */
export interface AgentNotes {
  readonly facts: readonly AssertionTable[]
  readonly instructions: readonly InstructionTable[]
}

/** Returns the facts that agents noted in a session. */
export function factsNotedDuring(near: string, session: number, limit: number): Program<readonly AssertionTable[]> {
  return all(factsNotedIn, { near, session, limit: Math.min(limit, Number.MAX_SAFE_INTEGER) })
}

/** Returns the instructions that agents noted in some sessions. */
export function instructionsNotedDuring(partition: number, sessions: readonly number[]): Program<readonly InstructionTable[]> {
  return all(instructionsNotedIn, { partition, sessions: JSON.stringify(sessions) })
}

/** Returns everything that agents noted in the memory of a partition. */
export function* agentNotes(partition: number): Program<AgentNotes> {
  const [facts, added] = yield* abreast([factsOfAgents(partition), addedInstructions(partition)])
  return { facts, instructions: added.filter(({ writer }) => writer !== byHand) }
}

function* factsOfAgents(partition: number): Program<readonly AssertionTable[]> {
  const known = yield* findKnownOf(partition)
  return known === undefined ? [] : yield* all(factNotes, { partition: known.id })
}

export function* hasAgentNotes(partition: number): Program<boolean> {
  const { facts, instructions } = yield* agentNotes(partition)
  return facts.length + instructions.length > 0
}
