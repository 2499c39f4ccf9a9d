import { VarveError } from '../errors/varve-error.ts'
import { growingCache } from '../caches/growing-cache.ts'
import type { ImportHandle, ImportRoutes } from './importer.ts'
import type { SkipReason } from './reasons.ts'
import type { StatedOwner } from './stated-owner.ts'

/** The partition that a message goes to. */
export interface ImportTarget {
  /** Tells two partitions apart. */
  readonly key: string
  readonly handle: ImportHandle
}

/** Finds the target of a message by the owner that the file states. */
export interface ImportTargets {
  targetOf(stated: StatedOwner | undefined): ImportTarget | SkipReason
  /** Tells whether the answer rests on the number of accounts in the file, which must be counted first. */
  restsOnAccounts(stated: StatedOwner | undefined): boolean
  /** True: the conversations of the file are of several accounts. */
  severalAccounts: boolean | undefined
}

/** Everything goes to one handle. Lines that name another owner are refused. */
export class OneTarget implements ImportTargets {
  readonly #target: ImportTarget
  severalAccounts: boolean | undefined

  constructor(handle: ImportHandle) {
    this.#target = { key: '', handle }
  }

  targetOf(stated: StatedOwner | undefined): ImportTarget | SkipReason {
    if (stated === undefined) return this.#target
    const { scope } = this.#target.handle
    if (stated.project !== undefined && stated.project !== scope?.project) return 'of another project'
    if (stated.user !== undefined && stated.user !== scope?.user) return 'of another user'
    return this.restsOnAccounts(stated) && this.severalAccounts !== false ? 'of one of several accounts' : this.#target
  }

  /** An export of one account is its person's own, under whatever name here. Of several, none is told to be this user's. */
  restsOnAccounts(stated: StatedOwner | undefined): boolean {
    return stated?.account !== undefined && stated.account !== this.#target.handle.scope?.user
  }
}

/** The most users of a file whose handles are kept. */
const mostKept = 10_000

/** Everything goes to the owner that it names: a project, else the default one; a user, else the anonymous one. */
export class RoutedTargets implements ImportTargets {
  readonly #routes: ImportRoutes
  readonly #known = growingCache<string, ImportTarget>(mostKept)
  severalAccounts: boolean | undefined

  constructor(routes: ImportRoutes) {
    this.#routes = routes
  }

  targetOf({ project, user, account }: StatedOwner = {}): ImportTarget | SkipReason {
    const owner = user ?? account
    const scope = { ...(project === undefined ? {} : { project }), ...(owner === undefined ? {} : { user: owner }) }
    const key = JSON.stringify(scope)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    try {
      const target = { key, handle: this.#routes.for(scope) }
      this.#known.set(key, target)
      return target
    } catch (error) {
      if (VarveError.is(error) && error.code === 'SCOPE_INVALID') return 'unreadable owner'
      throw error
    }
  }

  restsOnAccounts(): boolean {
    return false
  }
}
