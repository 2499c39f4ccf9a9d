// Makes the OpenAPI document of the server from the operations: `npm run api` writes it.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ErrorCode } from '../packages/varve/src/errors/varve-error.ts'
import type { FieldSchema } from '../packages/varve/src/operations/field-schema.ts'
import { jsonSchemaOf } from '../packages/varve/src/operations/parse.ts'
import { statusOf } from '../packages/varve/src/server/problem.ts'
import { allRoutes, namesInPath, type Route } from '../packages/varve/src/server/routes.ts'
import { typeFiles } from './handles.ts'
import { type OutputSchema, outputSchemas } from './output-schemas.ts'

const home = join(dirname(import.meta.dirname), 'packages', 'varve')

/** Errors that any request may get. */
const usual: readonly ErrorCode[] = ['OPTION_INVALID', 'UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'STORE_BUSY', 'DEADLINE_EXCEEDED']

const tags = { user: 'of a user', shared: 'of a project', memory: 'of the store' } as const

/** What stands in the path before an operation's own fields. */
const owners: Readonly<Record<string, string>> = { project: 'The project.', user: 'The user; `~` is the anonymous user.' }

const isList = ({ operation }: Route): boolean => operation.output.startsWith('List<')

/** The name of an answer's type in the list that is given to the compiler. */
const typeName = ({ on, operation }: Route): string => `${on}_${operation.name.replaceAll('.', '_')}`

/** The type of an answer's body, as TypeScript writes it; undefined for an answer without one. */
function bodyType({ operation: { name, output } }: Route): string | undefined {
  const listed = /^List<(.+)>$/.exec(output)?.[1] ?? /^(?:readonly )?(\w+)\[\]$/.exec(output)?.[1]
  if (output === 'void' || output.startsWith('AsyncIterable')) return undefined
  if (name === 'projects.create') return 'string'
  if (name === 'compact') return '{ readonly kept: readonly object[]; readonly tokens: number }'
  if (output === 'MessageList') return '{ readonly items: readonly Message[]; readonly before?: number }'
  return listed === undefined ? output : `{ readonly items: readonly (${listed})[]; readonly cursor?: string }`
}

function parameters({ path, verb, operation, places }: Route, schema: FieldSchema): readonly object[] {
  const { properties = {}, required = [] } = schema
  const inPath = namesInPath(path).map((name) => ({
    ...{ name, in: 'path', required: true, description: properties[name]?.description ?? owners[name] ?? '' },
    schema: { type: 'string', minLength: 1 },
  }))
  const isQueried = verb === 'GET' || Object.hasOwn(properties, 'lines')
  const inQuery = Object.entries(isQueried ? properties : {}).filter(([name]) => !places.includes(name) && name !== 'lines')
  const conditions = operation.expects === undefined ? [] : ['IfMatch']
  const headers = operation.kind === 'write' ? ['IdempotencyKey', ...conditions] : []
  return [
    ...inPath,
    ...inQuery.map(([name, { description = '', ...field }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: field,
    })),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function requestBody({ verb, places }: Route, { properties = {}, required = [] }: FieldSchema): object {
  if (Object.hasOwn(properties, 'lines'))
    return {
      requestBody: {
        required: true,
        content: { 'application/jsonl': { schema: { type: 'string', description: 'The lines of an export.' } } },
      },
    }
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !places.includes(name)))
  if (verb === 'GET' || Object.keys(own).length === 0) return {}
  const needed = required.filter((name) => !places.includes(name))
  const schema = { type: 'object', properties: own, ...(needed.length === 0 ? {} : { required: needed }), additionalProperties: false }
  return { requestBody: { required: needed.length > 0, content: { 'application/json': { schema } } } }
}

function responses(route: Route, body: OutputSchema | undefined): object {
  const { operation } = route
  const codes = [...new Set([...usual, ...operation.errors])].map((code) => statusOf[code])
  const problems = [...new Set([...codes, ...(operation.expects === undefined ? [] : [412])])].toSorted((one, other) => one - other)
  const lines = { 'application/jsonl': { schema: { type: 'string', description: 'A line of JSON for each item.' } } }
  const done = operation.output.startsWith('AsyncIterable')
    ? { 200: { description: 'The lines, as a stream.', content: lines } }
    : body === undefined
      ? {}
      : { 200: { description: 'Done.', content: { 'application/json': { schema: body }, ...(isList(route) ? lines : {}) } } }
  const none =
    operation.output === 'void' || operation.output.includes('undefined') ? { 204: { description: 'Done; there is nothing to tell.' } } : {}
  const failed = problems.map((status) => [status, { $ref: '#/components/responses/Problem' }])
  return { ...done, ...none, ...Object.fromEntries(failed) }
}

function operationOf(route: Route, body: OutputSchema | undefined): object {
  const { operation, on } = route
  const schema = jsonSchemaOf(operation)
  const [first = ''] = operation.about.split(/(?<=\.) /)
  return {
    operationId: typeName(route),
    tags: [tags[on]],
    summary: first,
    description: operation.about,
    'x-varve-operation': operation.name,
    'x-varve-kind': operation.kind,
    ...{ parameters: parameters(route, schema), ...requestBody(route, schema), responses: responses(route, body) },
  }
}

const about = `Long-term memory for LLM agents. The fields of a query may also stand as one object of JSON in its field \`fields\`. A field
that no path can hold, such as \`..\`, may stand in the query or the body: its segment of the path is then \`%00\`.`

const problemResponse = { $ref: '#/components/responses/Problem' }

/** Parts of the server that are no operations. */
const others = {
  '/healthz': {
    get: {
      ...{ operationId: 'healthz', summary: 'Whether the process answers.', security: [] },
      responses: { 200: { description: 'It does.' } },
    },
  },
  '/readyz': {
    get: {
      ...{ operationId: 'readyz', summary: 'Whether the store, the threads and the model can serve.', security: [] },
      responses: { 200: { description: 'They can.' }, 421: problemResponse, 503: { description: 'They cannot, or the server closes.' } },
    },
  },
  '/metrics': {
    get: {
      ...{ operationId: 'metrics', summary: 'Metrics in the format of Prometheus. For keys of the whole store.' },
      responses: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } }, 403: problemResponse },
    },
  },
}

const components = {
  securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key that `varve keys create` made.' } },
  parameters: {
    IdempotencyKey: {
      ...{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', minLength: 1, maxLength: 255 } },
      description: 'A text of the caller’s own: a request that comes again with it gets the first one’s answer and does nothing.',
    },
    IfMatch: {
      ...{ name: 'If-Match', in: 'header', required: false, schema: { type: 'string', pattern: '^"[\\w-]{1,64}(\\.[\\w-]{1,64})?"$' } },
      description:
        'The ETag of the answer on which the edit was made, or the `revision` or `version` of an item of a list in quotes. When ' +
        'another one stands, nothing is changed: 412.',
    },
  },
  responses: {
    Problem: {
      description: 'It was not done: RFC 9457.',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
}

const problem = {
  type: 'object',
  properties: {
    type: { type: 'string', description: 'The place of the documentation of its code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong, and what to do. It never has a text that was sent.' },
    code: { type: 'string', enum: Object.keys(statusOf) },
    isRetryable: { type: 'boolean', description: 'Whether the same request may succeed later without a change.' },
    requestId: { type: 'string' },
    facts: { type: 'object' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'isRetryable', 'requestId', 'facts'],
}

/** Makes the document. */
export function openApiDocument(): string {
  const routes = allRoutes()
  const types = new Map(
    routes.flatMap((route): [string, string][] => {
      const type = bodyType(route)
      return type === undefined ? [] : [[typeName(route), type]]
    }),
  )
  const { byName, shared } = outputSchemas(home, types, typeFiles())
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.verb.toLowerCase()] = operationOf(route, byName.get(typeName(route)))
  const { version }: { version: string } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const document = {
    openapi: '3.1.0',
    info: { title: 'Varve', version, description: about, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: Object.values(tags).map((name) => ({ name, description: `Operations ${name}.` })),
    paths: { ...paths, ...others },
    components: { ...components, schemas: { ...shared, Problem: problem } },
  }
  return `${JSON.stringify(document, null, 1)}\n`
}
