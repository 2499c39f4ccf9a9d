import type { UserMemory } from '../../memory/user-memory.ts'

/** TanStack AI's contract of a memory, by its shapes. They fit `@tanstack/ai` 0.58, which is not imported. */

/** Whose data it is. A server derives it, never a client. */
export interface TanStackScope {
  readonly threadId: string
  readonly userId?: string
  readonly tenantId?: string
  /** Reserved by TanStack, and ignored as it asks. */
  readonly namespace?: string
}

/** A turn that is over. */
export interface TanStackTurn {
  readonly user: string
  readonly assistant: string
}

/** A tool in the form of TanStack AI. */
export interface TanStackTool {
  name: string
  description: string
  inputSchema: AgentInputSchema
  execute(input: unknown): Promise<unknown>
}

/** A Standard Schema with its JSON Schema. */
type AgentInputSchema = ReturnType<UserMemory['tools']>['memory_recall']['inputSchema']

/** What a model may be told. */
export interface TanStackRecall {
  /** One fenced text of marked data; empty when nothing is known. */
  systemPrompt: string
  /** The parts of that text, by tier. */
  fragments: { text: string; source: string }[]
  tools?: TanStackTool[]
  toolGuidance?: string
}

export interface TanStackReceipt {
  ok: boolean
  latencyMs: number
  /** A code of Varve's, when the turn is not stored. */
  error?: string
}

/** A fact, as TanStack's devtools list it. */
export interface TanStackFact {
  id: string
  text: string
  /** Who wrote it. */
  source: string
  createdAt: string
}

/** A memory, as TanStack AI takes one. */
export interface VarveAdapter {
  readonly id: 'varve'
  readonly name: 'Varve'
  recall(scope: TanStackScope, query: string): Promise<TanStackRecall>
  save(scope: TanStackScope, turn: TanStackTurn): Promise<TanStackReceipt[]>
  /** Resolves when nothing waits to be stored: await it before a memory is closed. */
  settled(): Promise<void>
  /** How often memory gave nothing or could not store, by what it was to do and why: `context memory-late`. */
  readonly failures: ReadonlyMap<string, number>
  /** There when `devtools` is set. */
  inspect?(scope: TanStackScope): Promise<{ takenAt: string; data: unknown }>
  listFacts?(scope: TanStackScope): Promise<TanStackFact[]>
}
