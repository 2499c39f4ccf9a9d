import { readFileSync } from 'node:fs'
import type { Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import { foundElsewhere } from '../packaged/packaged-file.ts'
import type { ServerEnv } from './app.ts'

interface DocumentField {
  readonly name: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: DocumentSchema
}

interface DocumentSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, DocumentSchema>>
  readonly required?: readonly string[]
  readonly $ref?: string
}

interface DocumentOperation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly (DocumentField | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: DocumentSchema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
}

let text: string | undefined

/** Reads the document of the API, which the build made of the operations. */
function documentText(): string {
  const address = (): URL => new URL('./openapi.json', import.meta.url)
  text ??= readFileSync(foundElsewhere(address, 'server/openapi.json') ?? address(), 'utf8')
  return text
}

const styles = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
details { border-top: 1px solid #8884; padding: .4rem 0 }
summary { cursor: pointer } code { font: .9em ui-monospace, monospace } table { border-collapse: collapse }
td, th { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0 } b { display: inline-block; width: 4.5rem }`

/** The page has a style of its own, no script and nothing from elsewhere. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Adds the document of the API, and pages to read it. They say nothing of what is stored, and need no key. */
export function addDocsRoutes(app: Hono<ServerEnv>): void {
  app.get('/openapi.json', (context) => context.body(documentText(), 200, { 'content-type': 'application/json' }))
  app.get('/docs', (context) => page(context, () => docsPage(JSON.parse(documentText()))))
}

async function page(context: Context<ServerEnv>, make: () => ReturnType<typeof html>): Promise<Response> {
  context.set('route', context.req.routePath)
  return context.html(await make(), 200, { 'content-security-policy': policy })
}

function docsPage({ info, paths }: ApiDocument): ReturnType<typeof html> {
  const operations = Object.entries(paths).flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, one]) => ({ path, verb, one })))
  const groups = Map.groupBy(operations, ({ one }) => one.tags?.[0] ?? 'of the server')
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" /><meta name="viewport" content="width=device-width" />
      <title>${info.title} ${info.version}: the API</title>
      <style>
        ${raw(styles)}
      </style>
      <h1>${info.title} ${info.version}</h1>
      <p>
        Every request needs a key: <code>Authorization: Bearer varve_…</code>. The document for tools is at
        <a href="/openapi.json">/openapi.json</a>. A failure is a problem document (RFC 9457) with a <code>code</code>.
      </p>
      ${[...groups].map(
        ([group, some]) =>
          html`<h2>Operations ${group}</h2>
            ${some.map(({ path, verb, one }) => operationPart(path, verb, one))}`,
      )}
    </html>`
}

function operationPart(path: string, verb: string, operation: DocumentOperation): ReturnType<typeof html> {
  const rows = [...placedFields(operation), ...bodyFields(operation)]
  const table = html`<table>
    <tr>
      <th>field</th>
      <th>in</th>
      <th>type</th>
      <th>meaning</th>
    </tr>
    ${rows.map(
      (row) =>
        html`<tr>
          <td><code>${row.name}</code>${row.required === true ? ' *' : ''}</td>
          <td>${row.in}</td>
          <td>${typeOf(row.schema)}</td>
          <td>${row.description}</td>
        </tr>`,
    )}
  </table>`
  return html`<details id="${operation.operationId}">
    <summary><b>${verb.toUpperCase()}</b> <code>${path}</code><br />${operation.summary}</summary>
    <p>${operation.description ?? ''}</p>
    ${rows.length === 0 ? '' : table}
    <p>Answers: ${Object.keys(operation.responses).join(', ')}.</p>
  </details>`
}

function placedFields({ parameters = [] }: DocumentOperation): readonly DocumentField[] {
  return parameters.flatMap((one) => ('$ref' in one ? [] : [one]))
}

function bodyFields({ requestBody }: DocumentOperation): readonly DocumentField[] {
  const { properties = {}, required = [] } = Object.values(requestBody?.content ?? {})[0]?.schema ?? {}
  return Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'body', required: required.includes(name), schema },
    ...(schema.description === undefined ? {} : { description: schema.description }),
  }))
}

function typeOf(schema: DocumentSchema | undefined): string {
  if (schema?.enum !== undefined) return schema.enum.join(', ')
  return [schema?.type ?? 'value'].flat().join(' or ')
}
