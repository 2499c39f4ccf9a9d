/** The place of a transcript: a project and a session of Claude Code, and a subagent's path below it. */
export interface TranscriptKey {
  readonly projectKey: string
  readonly sessionId: string
  readonly subpath?: string
}

/** A line of a transcript: JSON, with a `type`. */
export interface TranscriptEntry {
  type: string
  uuid?: string
  timestamp?: string
  [field: string]: unknown
}

/** Tells a session's transcripts apart. */
export function transcriptName({ projectKey, subpath = '' }: Omit<TranscriptKey, 'sessionId'>): string {
  return JSON.stringify([projectKey, subpath])
}
