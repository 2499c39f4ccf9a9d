import { decodedSegment } from './read-fields.ts'
import type { Route } from './routes.ts'

/** The route at a path, and the names that the path gives, in its order. */
export interface FoundRoute {
  readonly route: Route
  readonly names: readonly string[]
}

interface Branch {
  readonly named: Map<string, Branch>
  any: Branch | undefined
  readonly routes: Map<string, Route>
}

/**
 * Finds routes by the segments of a path as it was sent. A segment that a route names goes before one that it leaves open, unless
 * only the open one takes the verb: a document may be called `recollect`.
 */
export class RouteTree {
  readonly #root = branch()

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      let at = this.#root
      for (const segment of route.path.split('/')) at = segment.startsWith('{') ? (at.any ??= branch()) : grown(at.named, segment)
      at.routes.set(route.verb, route)
    }
  }

  /** Undefined where nothing takes the verb. InvalidRequest for a name that cannot be decoded. */
  find(path: string, verb: string): FoundRoute | undefined {
    return found(this.#root, path.split('/'), 0, [], verb)
  }

  /** Lists the verbs that a path takes; none where nothing is. */
  verbsAt(path: string): readonly string[] {
    return [...new Set(verbsIn(this.#root, path.split('/'), 0))]
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

function found(at: Branch, segments: readonly string[], depth: number, open: readonly string[], verb: string): FoundRoute | undefined {
  const segment = segments[depth]
  if (segment === undefined) {
    const route = at.routes.get(verb)
    return route === undefined ? undefined : { route, names: open.map(decodedSegment) }
  }
  const named = at.named.get(segment)
  const direct = named === undefined ? undefined : found(named, segments, depth + 1, open, verb)
  if (direct !== undefined || at.any === undefined || segment === '') return direct
  return found(at.any, segments, depth + 1, [...open, segment], verb)
}

function verbsIn(at: Branch, segments: readonly string[], depth: number): readonly string[] {
  const segment = segments[depth]
  if (segment === undefined) return [...at.routes.keys()]
  const branches = [at.named.get(segment), segment === '' ? undefined : at.any]
  return branches.flatMap((next) => (next === undefined ? [] : verbsIn(next, segments, depth + 1)))
}
