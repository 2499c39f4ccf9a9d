import { join } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'
import { type Handle, handles } from '../packages/varve/src/operations/all.ts'
import type { AnyOperation } from '../packages/varve/src/operations/operation.ts'
import { fieldsOf, placedOf } from './handles.ts'

/** The file that is written, from the root. */
const path = join('packages', 'varve', 'src', 'client', 'calls.ts')

/** Owners in the order of the file: both a user and what a project shares, a user, a project, the store. */
const owners = ['shared', 'user', 'project', 'memory'] as const
type Owner = (typeof owners)[number]

/**
 * Formats a call: its method, its verb, its path and how it takes its fields. Marks of the verb: `?` reads only, `*` is a list
 * of pages. After the path: the fields by place where they are not those of the path, `=` with the name of the parameter that
 * holds all others, and `!` with the fields that refuse undefined.
 */
function callOf(method: string, operation: AnyOperation): string[] {
  const { route, kind, output, method: { whole } = {} } = operation
  if (route === null) return []
  const at = route.indexOf(' ')
  const [verb, address] = [route.slice(0, at), route.slice(at + 1)]
  const marks = `${kind === 'read' && verb !== 'GET' ? '?' : ''}${output.startsWith('List<') ? '*' : ''}`
  const { fields, required } = fieldsOf(operation)
  const placed = placedOf(operation, required)
  const inPath = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const exact = Object.keys(fields).filter((name) => !required.includes(name) && fields[name]?.mayBeUndefined !== true)
  const words = [
    ...[method, `${verb}${marks}`, address],
    ...(placed.join() === inPath.join() ? [] : [placed.join()]),
    ...(whole === undefined ? [] : [`=${whole.name}`]),
    ...(exact.length === 0 ? [] : [`!${exact.join()}`]),
  ]
  return [words.join(' ')]
}

/** Lists the handles of an owner: `''` for its own methods. */
function handlesOf(owner: Owner): ReadonlyMap<string, readonly string[]> {
  const own = handles.filter(({ on, isShared }: Handle) => owner === (isShared === true ? 'shared' : on))
  const byProperty = Map.groupBy(own, ({ property = '' }) => property)
  return new Map(
    [...byProperty].map(([property, some]) => [
      property,
      some.flatMap(({ operations }) => Object.entries(operations).flatMap(([method, operation]) => callOf(method, operation))),
    ]),
  )
}

/** Gives the names of the fields of queries that are texts, and of those that are values. A name that is both would be refused. */
function queryFields(): readonly [texts: string, values: string] {
  const [texts, values] = [queryFieldsOf(['string']), queryFieldsOf(['integer', 'number', 'boolean'])]
  const twice = texts.filter((name) => values.includes(name))
  if (twice.length > 0) throw new TypeError(`fields of queries are texts and values: ${twice.join(', ')}`)
  return [texts.join(' '), values.join(' ')]
}

/** The names of the fields of queries whose type is one of these. */
function queryFieldsOf(types: readonly string[]): readonly string[] {
  const all = handles.flatMap(({ operations }) => Object.values(operations)).filter(({ route }) => route?.startsWith('GET ') === true)
  const fields = all.flatMap((operation) => Object.entries(fieldsOf(operation).fields))
  return [...new Set(fields.flatMap(([name, { type }]) => (typeof type === 'string' && types.includes(type) ? [name] : [])))]
}

/** The file of the client's calls, by its path from the root. */
export async function clientCalls(config: FormatConfig): Promise<readonly [path: string, text: string]> {
  const tables = owners.map((owner) => {
    const rows = [...handlesOf(owner)].map(([property, calls]) => `'${property}': \`${calls.join('\n')}\`,`)
    return `${owner}: {\n${rows.join('\n')}\n},`
  })
  const [texts, values] = queryFields()
  const text = `// Written from the operations by \`npm run api\`. Do not edit.

/** The calls of each handle, a line each, as call-table.ts reads them. A user and a project have those of \`shared\` too. */
export const calls: Readonly<Record<'shared' | 'user' | 'project' | 'memory', Readonly<Record<string, string>>>> = {
${tables.join('\n')}
}

/** Fields of queries that must be texts, and those that must not: a query has texts alone. */
export const queryTexts = '${texts}'
export const queryValues = '${values}'
`
  const { code, errors } = await format(path, text, config)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
  return [path, code]
}
