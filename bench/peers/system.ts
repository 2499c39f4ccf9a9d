/** One turn of a conversation, as every system gets it. */
export interface PeerTurn {
  /** Unique over all conversations. */
  readonly id: string
  readonly session: string
  readonly speaker: string
  readonly text: string
  /** UTC milliseconds. */
  readonly at: number
}

/** A memory that is open. Partitions never see each other. */
export interface Opened {
  /** Ends when the turn is durable, as far as the system keeps anything, and can be found by its words or its meaning. */
  append(partition: string, turn: PeerTurn): Promise<void>
  /** Ends when everything that was appended can be found in every way; absent where `append` waits for that. */
  settle?(): Promise<void>
  /** Ids of turns, the best first where the system gives an order. */
  recall(partition: string, question: string, limit: number): Promise<readonly string[]>
  /** Ids of all that is in the store, for what keeps anything. */
  kept?(partition: string, sessions: readonly string[]): Promise<readonly string[]>
  close?(): Promise<void>
}

export interface OpenOptions {
  /** An empty folder, or what an earlier process left there. */
  readonly folder: string
  /** Where `/v1/embeddings` is served, with `/v1`. */
  readonly endpoint: string
}

export type OpenSystem = (options: OpenOptions) => Promise<Opened>

/** For systems that keep one text a memory: the speaker is said where the model and the words can see it. */
export function spoken({ speaker, text }: PeerTurn): string {
  return `${speaker}: ${text}`
}

/** What clients ask the endpoint for; it has one model and looks at no name. */
export const modelName = 'all-minilm-l6-v2'
/** The clients insist on a key. The endpoint does not look at it. */
export const noKey = 'none'
export const dimension = 384
