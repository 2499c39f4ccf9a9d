import { handles } from '../operations/all.ts'
import type { Fields, Operation } from '../operations/operation.ts'

/** Whose operations stand under a path: of a user, of what a project shares, or of the store. */
export type RouteOwner = 'user' | 'shared' | 'memory'

/** An operation at its address. */
export interface Route {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The whole path, with names in braces. */
  readonly path: string
  readonly on: RouteOwner
  /** The handle of its owner and the method there, as in the library: `facts` and `add`. */
  readonly property: string | undefined
  readonly method: string
  readonly operation: Operation<Fields, unknown>
  /** The fields of the operation that stand in the path. */
  readonly places: readonly string[]
}

const basePaths: Readonly<Record<RouteOwner, string>> = {
  user: '/v1/projects/{project}/users/{user}',
  shared: '/v1/projects/{project}',
  memory: '/v1',
}

/** Lists every operation with its address, in the order of the reference. */
export function allRoutes(): readonly Route[] {
  return handles.flatMap(({ on, property, isShared, operations }) => {
    const owners: readonly RouteOwner[] = on === 'project' ? ['shared'] : isShared === true ? [on, 'shared'] : [on]
    return owners.flatMap((owner) =>
      Object.entries(operations).flatMap(([method, operation]): Route[] => {
        if (operation.route === null) return []
        const { verb, path } = addressOf(operation.route)
        const places = namesIn(path)
        // The records keep their types apart; a door gives each the means of its own owner.
        return [
          { verb, path: `${basePaths[owner]}${path}`, on: owner, property, method, places, operation: operation as Route['operation'] },
        ]
      }),
    )
  })
}

/** Reads the names in the braces of a path. */
export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function addressOf(route: string): { readonly verb: Route['verb']; readonly path: string } {
  const at = route.indexOf(' ')
  // The type of a record's route begins with one of these.
  return { verb: route.slice(0, at) as Route['verb'], path: route.slice(at + 1) }
}
