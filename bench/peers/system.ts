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

/** An open memory. Partitions never see each other. */
export interface Opened {
  /** Ends when the turn is as durable as the system makes it, and can be found by words or meaning. */
  append(partition: string, turn: PeerTurn): Promise<void>
  /** Ends when every appended turn can be found in every way; absent where `append` waits for that. */
  settle?(): Promise<void>
  /** Returns ids of turns, the best first where the system gives an order. */
  recall(partition: string, question: string, limit: number): Promise<readonly string[]>
  /** Returns the ids of all stored turns, for systems that keep any. */
  kept?(partition: string, sessions: readonly string[]): Promise<readonly string[]>
  close?(): Promise<void>
}

export interface OpenOptions {
  /** An empty folder, or one with the files of an earlier process. */
  readonly folder: string
  /** The address of `/v1/embeddings`, with `/v1`. */
  readonly endpoint: string
  /** The address of a PostgreSQL database, for systems that keep their data on a server. */
  readonly server?: string
}

export type OpenSystem = (options: OpenOptions) => Promise<Opened>

/** Joins speaker and text for systems that keep one text a memory, so that the model and the words include the speaker. */
export function spoken({ speaker, text }: PeerTurn): string {
  return `${speaker}: ${text}`
}

/** The name that clients ask the endpoint for; it has one model and ignores the name. */
export const modelName = 'all-minilm-l6-v2'
/** The clients insist on a key. The endpoint ignores it. */
export const noKey = 'none'
export const dimension = 384
