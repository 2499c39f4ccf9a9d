/** The parts of eve's types that the provider uses. They fit eve 0.80, which is not imported. */

/** A message of eve's history: one of the AI SDK, and of a user's what kind it is. */
export interface EveMessage {
  readonly role: string
  readonly content: unknown
  readonly kind?: string
}

/** The scope that eve has locked for an operation. */
export interface EveScope {
  /** A digest of the namespace and the scope. */
  readonly key: string
  readonly namespace: string
  readonly value: string | readonly string[]
}

export interface EveTurn {
  readonly id: string
  readonly input: readonly EveMessage[]
  readonly sequence: number
}

export interface EveOperation {
  readonly messages: readonly EveMessage[]
  readonly operationId: string
  readonly memory: { readonly scope: EveScope; readonly slot: string }
  /** `parent` is there in a subagent's session, `schedule` where nobody asked. */
  readonly session: { readonly id: string; readonly parent?: unknown; readonly schedule?: unknown }
  /** Null for a compaction between turns. */
  readonly turn: EveTurn | null
}

export interface EveRecall {
  readonly messages: { readonly content: string; readonly id: string }[]
}
