/** How one kind of memory is stored as items, and found. */
interface KindRecord {
  /** The number of its items in the store. Absent for facts, which have an index of their own. */
  readonly item?: number
  /** The partitions in which its items stand. */
  readonly stands?: 'owner' | 'project' | 'both'
  /**
   * The name of its count in a profile, when an item holds the text that a layer wrote. Items of other kinds stand for
   * something else, and are counted with it.
   */
  readonly counted?: string
}

/**
 * All kinds of memory that can be searched.
 *
 * A message item is a reference to a message of a session that its project shares; `hand_seq` is its place there. A
 * block item has the id of its block in working memory. Items of documents and notes are passages of their pages.
 */
const memoryKinds = {
  message: { item: 2, stands: 'project' },
  gist: { item: 0, stands: 'owner', counted: 'gists' },
  bank: { item: 1, stands: 'both', counted: 'entries' },
  block: { item: 3, stands: 'both' },
  fact: {},
  document: { item: 4, stands: 'both' },
  notes: { item: 5, stands: 'owner' },
} as const satisfies Readonly<Record<string, KindRecord>>

type Kinds = typeof memoryKinds
type MemoryKind = keyof Kinds

/** Kinds that are stored as items. */
export type StoredKind = { [Name in MemoryKind]: Kinds[Name] extends { readonly item: number } ? Name : never }[MemoryKind]

/** Kinds whose items hold the text that a layer wrote. */
export type WrittenKind = { [Name in MemoryKind]: Kinds[Name] extends { readonly counted: string } ? Name : never }[MemoryKind]

/** The names of the counts of written kinds in a profile. */
export type WrittenCounts = Readonly<Record<Kinds[WrittenKind]['counted'], number>>

export const allKinds: readonly MemoryKind[] = Object.keys(memoryKinds).filter(isKind)

export const writtenKinds: readonly WrittenKind[] = allKinds.filter(isWritten)

const storedKinds: readonly StoredKind[] = allKinds.filter(isStored)

const kindsByItem: ReadonlyMap<number, StoredKind> = new Map(storedKinds.map((kind) => [memoryKinds[kind].item, kind]))

/** Returns the kind of an item by its number. */
export function kindOfItem(item: number): StoredKind | undefined {
  return kindsByItem.get(item)
}

/** Returns the kinds whose items stand in some partitions. */
export function kindsIn(stands: NonNullable<KindRecord['stands']>): ReadonlySet<MemoryKind> {
  return new Set(storedKinds.filter((kind) => memoryKinds[kind].stands === stands))
}

/** Makes the counts of written kinds. */
export function countsOfWritten(count: (kind: WrittenKind) => number): WrittenCounts
export function countsOfWritten(count: (kind: WrittenKind) => number): Readonly<Record<string, number>> {
  return Object.fromEntries(writtenKinds.map((kind) => [memoryKinds[kind].counted, count(kind)]))
}

/** Returns the numbers of kinds as they are stored. */
export function itemNumbers(): Readonly<Record<StoredKind, number>>
export function itemNumbers(): Readonly<Record<string, number>> {
  return Object.fromEntries(storedKinds.map((kind) => [kind, memoryKinds[kind].item]))
}

function isKind(name: string): name is MemoryKind {
  return Object.hasOwn(memoryKinds, name)
}

function isStored(kind: MemoryKind): kind is StoredKind {
  return 'item' in memoryKinds[kind]
}

function isWritten(kind: MemoryKind): kind is WrittenKind {
  return 'counted' in memoryKinds[kind]
}
