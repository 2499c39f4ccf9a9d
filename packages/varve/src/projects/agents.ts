import { projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'

/** The most that agents note of their own in one partition. What a person says is never counted, and never refused. */
export interface AgentsSettings {
  /** Facts that agents noted and that stand. */
  readonly facts: number
  /** Instructions that agents noted and that stand. */
  readonly instructions: number
  /** An agent makes no further document when the partition has so many, whoever made them. */
  readonly documents: number
}

/**
 * Facts: each question on facts reads the statements of its subject, and some hundred take 12 ms of CPU. Instructions: all of
 * them stand in each context. Documents: half of those that a partition may have, so that the other half is left for what
 * persons say.
 */
export const agentsBounds = {
  facts: { least: 1, most: 10_000, usual: 500 },
  instructions: { least: 1, most: 200, usual: 20 },
  documents: { least: 1, most: 10_000, usual: 5_000 },
} as const

/** An agent that adds and takes back in a loop leaves statements: at most so many times the facts that may stand. */
export const statementsPerFact = 10

/** Reads a project's bounds of agents, which were checked when they were set. */
export function* agentsSettings(project: string): Program<AgentsSettings> {
  const { agents = {} }: { agents?: Partial<AgentsSettings> } = yield* projectSettings(project)
  return {
    facts: agents.facts ?? agentsBounds.facts.usual,
    instructions: agents.instructions ?? agentsBounds.instructions.usual,
    documents: agents.documents ?? agentsBounds.documents.usual,
  }
}
