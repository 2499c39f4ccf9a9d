import { handles } from '../operations/all.ts'
import type { AnyOperation, Fields, Operation } from '../operations/operation.ts'

/** Whose operations stand under a path: of a user, of what a project shares, or of the store. */
export type RouteOwner = 'user' | 'shared' | 'memory'

/** An operation at its address. */
export interface Route {
  readonly verb: (typeof verbs)[number]
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
        if (operation.route === null || !canRun(operation)) return []
        const { verb, path } = addressOf(operation.route)
        const places = namesInPath(path)
        return [{ verb, path: `${basePaths[owner]}${path}`, on: owner, property, method, places, operation }]
      }),
    )
  })
}

/** The list of handles keeps the types of records apart; a door gives each the means of its owner. */
function canRun(operation: AnyOperation): operation is Route['operation'] {
  return 'run' in operation
}

/** Reads the names in the braces of a path. */
export function namesInPath(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function addressOf(route: string): Pick<Route, 'verb' | 'path'> {
  const verb = verbs.find((one) => route.startsWith(`${one} `)) ?? 'GET'
  return { verb, path: route.slice(verb.length + 1) }
}
