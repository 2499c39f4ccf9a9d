/** Flags that every command takes. */
export interface GlobalFlags {
  readonly store?: string
  readonly project?: string
  readonly user?: string
  readonly json?: boolean
  /** The folder in which notes are mirrored. */
  readonly notesDirectory?: string
}

export interface YesFlags extends GlobalFlags {
  /** Acts, in place of a preview or a question. */
  readonly yes?: boolean
}

/** Gives the flags that are a command's own. */
export function ownFlags<Flags extends GlobalFlags>(flags: Flags): Omit<Flags, keyof GlobalFlags> {
  const { store: _store, project: _project, user: _user, json: _json, notesDirectory: _notesDirectory, ...own } = flags
  return own
}
