/** An owner of memory. Two owners that differ in any character of either name are two owners. */
export interface OwnerKey {
  readonly project: string
  readonly user: string
}

/** Arguments for a call. */
export interface CallWith {
  /** An id that the memory gave out, to this owner or to another. */
  readonly id: string
  /** A session that every owner has. */
  readonly session: string
  /** A question that meets every text of the kit. */
  readonly question: string
  /** A text that the kit never looks for. */
  readonly text: string
}

/** An open memory. */
export interface OpenedMemory<Handle> {
  /** Gives an owner's handle. May throw where a key cannot be a name, as the first write may: then the owner is left out. */
  handle(owner: OwnerKey): Handle | Promise<Handle>
  close(): Promise<void>
}

/** The adapter with which a memory joins the isolation kit. `Handle` is what one owner holds. */
export interface MemoryUnderTest<Handle> {
  /** The names that tell owners apart. Default: project and user. */
  readonly apart?: readonly (keyof OwnerKey)[]
  /** Opens an empty memory; each check uses its own. */
  open(): Promise<OpenedMemory<Handle>>
  /** Stores a text, so that all ways of reading can meet it. Returns the ids that calls take. */
  write(handle: Handle, session: string, text: string): Promise<readonly string[]>
  /**
   * Makes one call for each public method, by its path: `recall`, `blocks.set`. A call that takes an id, a session or a
   * question takes the given one. The calls are made in this order: put those that end an owner's memory last.
   */
  calls(handle: Handle, given: CallWith): Readonly<Record<string, () => unknown>>
  /** Reads all that an owner has; it is compared before and after the calls of others. */
  state(handle: Handle): Promise<unknown>
  /** Answers a question with its scores, unrounded. Absent for a memory that does not score. */
  search?(handle: Handle, question: string): Promise<unknown>
  /** Forgets all of an owner. Absent for a memory that cannot. */
  forgetAll?(handle: Handle): Promise<unknown>
  /** Gives the object whose public methods an owner can call. Default: the handle. */
  surface?(handle: Handle): unknown
  /** Names on the surface that are private to its makers: fields that TypeScript alone hides. */
  readonly areNotPublic?: readonly string[]
  /** Public methods that reach no stored memory, by path, each with the reason. */
  readonly reachesNothing?: Readonly<Record<string, string>>
}
