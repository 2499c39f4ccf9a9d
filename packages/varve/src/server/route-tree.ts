import { decodedSegment } from './read-fields.ts'
import type { Route } from './routes.ts'

/** What stands at a path: the routes by their verbs, and the names that the path gives, in its order. */
export interface FoundRoutes {
  readonly routes: ReadonlyMap<string, Route>
  readonly names: readonly string[]
}

interface Branch {
  readonly named: Map<string, Branch>
  any: Branch | undefined
  readonly routes: Map<string, Route>
}

/** Finds routes by the segments of a path as it was sent. A segment that a route names goes before one that it leaves open. */
export class RouteTree {
  readonly #root = branch()

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      let at = this.#root
      for (const segment of route.path.split('/')) at = segment.startsWith('{') ? (at.any ??= branch()) : grown(at.named, segment)
      at.routes.set(route.verb, route)
    }
  }

  /** Undefined where nothing is. InvalidRequest for a name that cannot be decoded. */
  find(path: string): FoundRoutes | undefined {
    return found(this.#root, path.split('/'), 0, [])
  }
}

function branch(): Branch {
  return { named: new Map(), any: undefined, routes: new Map() }
}

function grown(named: Map<string, Branch>, segment: string): Branch {
  const next = named.get(segment) ?? branch()
  named.set(segment, next)
  return next
}

function found(at: Branch, segments: readonly string[], depth: number, open: readonly string[]): FoundRoutes | undefined {
  const segment = segments[depth]
  if (segment === undefined) return at.routes.size === 0 ? undefined : { routes: at.routes, names: open.map(decodedSegment) }
  const named = at.named.get(segment)
  const direct = named === undefined ? undefined : found(named, segments, depth + 1, open)
  if (direct !== undefined || at.any === undefined || segment === '') return direct
  return found(at.any, segments, depth + 1, [...open, segment])
}
