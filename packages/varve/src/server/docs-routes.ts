import type { Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import { sentPath, type ServerEnv } from './app.ts'
import { apiDocumentText, documentPage, errorRows, type ErrorRow, llmsText } from './docs-pages.ts'
import { statusOf } from './problem.ts'

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

const styles = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
details { border-top: 1px solid #8884; padding: .4rem 0 }
summary { cursor: pointer } code { font: .9em ui-monospace, monospace } table { border-collapse: collapse }
td, th { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0 } b { display: inline-block; width: 4.5rem }`

let version: string | undefined

/** Gives the version of this server, as its document of the API says it. */
export function servedVersion(): string {
  const { info }: ApiDocument = version === undefined ? JSON.parse(apiDocumentText()) : { info: { title: '', version }, paths: {} }
  return (version = info.version)
}

/** The page has a style of its own, no script and nothing from elsewhere. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Adds the document of the API, and pages to read it. They say nothing of what is stored, and need no key. */
export function addDocsRoutes(app: Hono<ServerEnv>): void {
  app.get('/openapi.json', (context) => named(context).body(apiDocumentText(), 200, { 'content-type': 'application/json' }))
  app.get('/llms.txt', (context) => named(context).text(llmsText()))
  app.get(
    '/docs',
    page(() => docsPage(JSON.parse(apiDocumentText()))),
  )
  app.get(
    '/docs/errors',
    page(() => errorsPage(errorRows())),
  )
  app.get('/docs/*', async (context) => {
    const text = await documentPage(sentPath(context.req.url).slice('/docs/'.length))
    if (text === undefined) return context.notFound()
    return named(context).body(text, 200, { 'content-type': 'text/markdown; charset=utf-8' })
  })
}

/** Gives the request the name of its route, for logs and metrics. */
function named(context: Context<ServerEnv>): Context<ServerEnv> {
  context.set('route', context.req.routePath)
  return context
}

/** Answers with a page. Anybody may ask for it, and it is always the same: it is made once. */
function page(make: () => ReturnType<typeof html>): (context: Context<ServerEnv>) => Promise<Response> {
  let made: ReturnType<typeof html> | undefined
  return async (context) => named(context).html(await (made ??= make()), 200, { 'content-security-policy': policy })
}

function framedPage(title: string, body: ReturnType<typeof html>): ReturnType<typeof html> {
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" /><meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      <style>
        ${raw(styles)}
      </style>
      ${body}
    </html>`
}

/** Makes the page that the `type` of every problem leads to. */
function errorsPage(rows: readonly ErrorRow[]): ReturnType<typeof html> {
  const statuses: Readonly<Record<string, number>> = statusOf
  return framedPage(
    'Varve: errors',
    html`<h1>Errors</h1>
      <p>
        A failure is a problem document (RFC 9457). Its <code>code</code> is one of these. <code>isRetryable</code> says whether the same
        request may succeed later without a change.
      </p>
      ${rows.map(
        ({ code, name, retry, facts, when }) =>
          html`<section id="${code}">
            <h2><code>${code}</code></h2>
            <p>${coded(when)}</p>
            <p>Status ${statuses[code]}${otherStatuses[code]} · class <code>${name}</code> · retry: ${retry} · facts: ${facts}</p>
          </section>`,
      )}
      <p><a href="/docs">The API</a> · <a href="/llms.txt">an index of the documents</a></p>`,
  )
}

const otherStatuses: Readonly<Record<string, string>> = {
  REQUEST_INVALID: ', or 404, 405, 409, 413, 415, 421, 422, as the problem says',
  STALE_REVISION: ', or 412 where the request had If-Match',
}

/** Shows what stands in backticks as code. */
function coded(text: string) {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))
}

function docsPage({ info, paths }: ApiDocument): ReturnType<typeof html> {
  const operations = Object.entries(paths).flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, one]) => ({ path, verb, one })))
  const groups = Map.groupBy(operations, ({ one }) => one.tags?.[0] ?? 'of the server')
  return framedPage(
    `${info.title} ${info.version}: the API`,
    html`<h1>${info.title} ${info.version}</h1>
      <p>
        A request under /v1 needs a key: <code>Authorization: Bearer varve_…</code>. The document for tools is at
        <a href="/openapi.json">/openapi.json</a>, an index for agents at <a href="/llms.txt">/llms.txt</a>. A failure is a problem document
        (RFC 9457) with a <code>code</code>: <a href="/docs/errors">the errors</a>.
      </p>
      ${[...groups].map(
        ([group, some]) =>
          html`<h2>Operations ${group}</h2>
            ${some.map(({ path, verb, one }) => operationPart(path, verb, one))}`,
      )}`,
  )
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
