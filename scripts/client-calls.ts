import { join } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'
import type { CallSpec } from '../packages/varve/src/client/call-table.ts'
import { type Handle, handles } from '../packages/varve/src/operations/all.ts'
import type { AnyOperation } from '../packages/varve/src/operations/operation.ts'
import { fieldsOf, placedOf } from './handles.ts'

/** The file that is written, from the root. */
const path = join('packages', 'varve', 'src', 'client', 'calls.ts')

/** Owners in the order of the file: both a user and what a project shares, a user, a project, the store. */
const owners = ['shared', 'user', 'project', 'memory'] as const
type Owner = (typeof owners)[number]

/** A call of a handle, as the client must read it again. Its path has names in braces, as in the route. */
export type DeclaredCall = Omit<CallSpec, 'property' | 'exact'>

interface DeclaredHandle {
  readonly property: string
  readonly calls: readonly DeclaredCall[]
  /** The fields of these calls that refuse undefined. */
  readonly exact: readonly string[]
}

function callOf(property: string, method: string, operation: AnyOperation): DeclaredCall[] {
  const { route, kind, output, method: { whole } = {} } = operation
  if (route === null) return []
  const [verb = '', address = ''] = route.split(' ')
  return [
    {
      ...{ name: property === '' ? method : `${property}.${method}`, method, verb, path: address },
      ...{ reads: kind === 'read', pages: output.startsWith('List<') },
      placed: placedOf(operation, fieldsOf(operation).required),
      whole: whole?.name ?? '',
    },
  ]
}

/** Lists the handles of an owner: `''` for its own methods. */
export function handlesOf(owner: Owner): readonly DeclaredHandle[] {
  const own = handles.filter(({ on, isShared }: Handle) => owner === (isShared === true ? 'shared' : on))
  return [...Map.groupBy(own, ({ property = '' }) => property)].map(([property, some]) => {
    const operations = some.flatMap((handle) => Object.entries(handle.operations))
    return {
      property,
      calls: operations.flatMap(([method, operation]) => callOf(property, method, operation)),
      exact: exactOf(
        property,
        operations.map(([, operation]) => operation),
      ),
    }
  })
}

/** Lists the fields that refuse undefined: without them a call would mean more. A name must do so in each call of a handle. */
function exactOf(property: string, operations: readonly AnyOperation[]): readonly string[] {
  const optional = operations.flatMap((operation) => {
    const { fields, required } = fieldsOf(operation)
    return Object.entries(fields).filter(([name]) => !required.includes(name))
  })
  const named = (mayBe: boolean): readonly string[] => [
    ...new Set(optional.filter(([, { mayBeUndefined = false }]) => mayBeUndefined === mayBe).map(([name]) => name)),
  ]
  const twice = named(false).filter((name) => named(true).includes(name))
  if (twice.length > 0) throw new TypeError(`fields of ${property} that may and may not be undefined: ${twice.join(', ')}`)
  return named(false)
}

/** The marks of verbs, each before that of a call that gives pages: call-table.ts reads them. */
const marks: Readonly<Record<string, string>> = {
  ...{ 'GET reads': '?*', 'POST reads': '~%' },
  ...{ POST: '+', PUT: '=', PATCH: '^', DELETE: '-' },
}

function markOf({ verb, reads, pages, name }: DeclaredCall): string {
  const mark = marks[reads ? `${verb} reads` : verb]?.charAt(pages ? 1 : 0) ?? ''
  if (mark === '') throw new TypeError(`the client has no mark for ${name}: ${verb}`)
  return mark
}

function wordOf(call: DeclaredCall, base: string): string {
  const { method, placed, whole } = call
  const address = call.path.replaceAll(/\{(\w+)\}/g, ':$1')
  const below = address === base ? '' : base !== '/' && address.startsWith(`${base}/`) ? address.slice(base.length + 1) : undefined
  const shown = (below ?? (base === '/' ? address.slice(1) : address)).replace(new RegExp(`(^|/)${method}$`), '$1.')
  const inPath = [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (inPath.some((name, at) => placed[at] !== name)) throw new TypeError(`${call.name} must begin with the fields of its path`)
  return [`${method}${markOf(call)}${shown}`, ...placed.slice(inPath.length)].join(',') + (whole === '' ? '' : `(${whole}`)
}

/** Writes a handle as words: the shortest of those with a path that its calls share. */
function wordsOf({ property, calls, exact }: DeclaredHandle): readonly string[] {
  const bases = calls.flatMap(({ path: full }) => {
    const parts = full.replaceAll(/\{(\w+)\}/g, ':$1').split('/')
    return parts.map((_, at) => parts.slice(0, at + 1).join('/')).map((base) => (base === '' ? '/' : base))
  })
  const written = [...new Set(bases)].map((base) => {
    const head = `${property}${base === `/${property}` ? '' : base}${exact.length === 0 ? '' : `!${exact.join()}`}`
    return [...(head === '' ? [] : [head]), ...calls.map((call) => wordOf(call, base))]
  })
  return written.toSorted((one, other) => one.join().length - other.join().length)[0] ?? []
}

/** The longest line of the file. */
const width = 128

/** The file of the client's calls, by its path from the root. */
export async function clientCalls(config: FormatConfig): Promise<readonly [path: string, text: string]> {
  const tables = owners.map((owner) => {
    // The words of an owner itself have no name before them.
    const words = handlesOf(owner)
      .toSorted((one, other) => Number(other.property === '') - Number(one.property === ''))
      .flatMap(wordsOf)
    const lines = words.reduce((text, word) => `${text}${text.length - text.lastIndexOf('\n') + word.length < width ? ' ' : '\n'}${word}`)
    return `${owner}: \`${lines}\`,`
  })
  const text = `// Written from the operations by \`npm run api\`. Do not edit.

/** The calls of each owner, as call-table.ts reads them. A user and a project have those of \`shared\` too. */
export const calls = {
${tables.join('\n')}
}
`
  const { code, errors } = await format(path, text, config)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
  return [path, code]
}
