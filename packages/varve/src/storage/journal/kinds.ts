/** The layers that a person or an agent changes by hand, as a change names them. */
export const layersByHand = ['blocks', 'gists', 'facts', 'instructions', 'documents', 'notes', 'bank'] as const

export type LayerByHand = (typeof layersByHand)[number]

/** The kinds of changes in the order of their numbers in the store, from 1 on. Only append to it. */
const told = ['appended', 'replaced', 'forgotten', 'erased', 'session', 'distilled', 'digested', 'noted', 'documented'] as const

export type ToldKind = (typeof told)[number]

export type JournalKind = ToldKind | LayerByHand

/** The number of a row that says nothing: it keeps the place up to which rows were pruned, or that of a deleted project. */
export const silentKinds = { pruned: 0, deleted: 100 } as const

/** Below it are the changes that Varve made, from it on those by hand. */
const firstByHand = 20

/** Returns the number under which a kind is stored. */
export function numberOfKind(kind: JournalKind): number {
  const at = told.findIndex((one) => one === kind)
  return at === -1 ? firstByHand + layersByHand.findIndex((one) => one === kind) : at + 1
}

/** Returns the kind of a stored number; undefined for one of a later Varve. */
export function kindOfNumber(
  stored: number,
): { readonly type: ToldKind } | { readonly type: 'changed'; readonly layer: LayerByHand } | undefined {
  const layer = layersByHand[stored - firstByHand]
  if (layer !== undefined) return { type: 'changed', layer }
  const type = told[stored - 1]
  return type === undefined ? undefined : { type }
}
