import { predicateKey, type Valued, type Valuing } from './predicates.ts'

/** Reads a project's rules for predicates, which were checked when they were set. */
export function valuingOf({ predicates }: Readonly<Record<string, unknown>>): Valuing {
  if (typeof predicates !== 'object' || predicates === null) return none
  return new Map(
    Object.entries(predicates).map(([name, valued]): [string, Valued] => [predicateKey(name), valued === 'single' ? 'single' : 'multi']),
  )
}

const none: Valuing = new Map()
