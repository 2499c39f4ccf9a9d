/** A line by which a person tells what would be forgotten: the beginning of a text. */
export interface ForgetLine {
  readonly text: string
  /** Of a message: UTC milliseconds. */
  readonly at?: number
  /** Of a message: the speaker's name, or else the role. */
  readonly by?: string
  readonly session?: string
}

/** What a forget would erase, with the token that confirms it. */
export interface ForgetShown {
  /** The number of things that would go, by kind. */
  readonly counts: Readonly<Record<string, number>>
  /** The beginnings of the newest five messages of it, or of the text. */
  readonly lines: readonly ForgetLine[]
  /** The number of things that would go and of which no line tells, by kind. */
  readonly more: Readonly<Record<string, number>>
  /** For `confirmForget`. It holds for exactly this, and this user, until it changes. */
  readonly token: string
  /** The end of the token: UTC milliseconds. */
  readonly until: number
}
