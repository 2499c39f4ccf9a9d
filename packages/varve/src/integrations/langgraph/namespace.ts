import { InvalidOption } from '../../errors/invalid-option.ts'
import { shown } from '../../errors/shown.ts'

/** A path of labels: `['users', 'ada', 'memories']`. */
export type Namespace = readonly string[]

/** A condition on namespaces. `*` stands for any label. */
export interface NamespaceCondition {
  readonly matchType: 'prefix' | 'suffix'
  readonly path: Namespace
}

const expected = 'labels that are not empty and have no period, colon or NUL'

/** Refuses a namespace that LangGraph refuses. */
export function checkNamespace(namespace: unknown, { allowEmpty = false }: { readonly allowEmpty?: boolean } = {}): void {
  if (Array.isArray(namespace) && (allowEmpty || namespace.length > 0) && namespace.every(isLabel)) return
  throw new InvalidOption({ option: 'the namespace', received: shown(namespace), expected })
}

/** Refuses a namespace that nothing may be put into: also the one that LangGraph keeps to itself. */
export function checkOwnNamespace(namespace: Namespace): void {
  checkNamespace(namespace)
  if (namespace[0] === 'langgraph')
    throw new InvalidOption({ option: 'the namespace', received: shown(namespace), expected: 'one that does not begin with `langgraph`' })
}

function isLabel(label: unknown): boolean {
  return typeof label === 'string' && label !== '' && !/[.:\0]/.test(label)
}

/** Tells whether a namespace lies under a prefix, or is it. */
export function isUnder(namespace: Namespace, prefix: Namespace): boolean {
  return prefix.length <= namespace.length && prefix.every((label, at) => namespace[at] === label)
}

export function isMatch(namespace: Namespace, { matchType, path }: NamespaceCondition): boolean {
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length
  return from >= 0 && path.length <= namespace.length && path.every((label, at) => label === '*' || namespace[from + at] === label)
}

/** Gives each namespace once, cut to a depth, in alphabetical order. */
export function listed(namespaces: readonly Namespace[], maxDepth: number | undefined): string[][] {
  const cut = namespaces.map((namespace) => namespace.slice(0, maxDepth))
  const each = new Map(cut.map((namespace) => [JSON.stringify(namespace), namespace]))
  return [...each.values()].sort((a, b) => a.join(':').localeCompare(b.join(':')))
}
