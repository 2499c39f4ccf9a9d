import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { ServerEnv } from './app.ts'
import { addDocsRoutes } from './docs-routes.ts'
import { statusOf } from './problem.ts'
import { allRoutes } from './routes.ts'

const app = new Hono<ServerEnv>({ getPath: ({ url }) => url.slice('http://varve'.length) })
addDocsRoutes(app)

async function got(path: string): Promise<{ readonly status: number; readonly type: string; readonly text: string }> {
  const response = await app.request(`http://varve${path}`)
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}

test('the type of every problem leads to its error on a page', async () => {
  const { status, type, text } = await got('/docs/errors')
  expect({ status, type }).toEqual({ status: 200, type: 'text/html; charset=UTF-8' })
  const sections = [...text.matchAll(/<section id="([A-Z_]+)">\s*<h2><code>([A-Z_]+)<\/code><\/h2>\s*<p>([^<]{10})/g)]
  expect(sections.map(([, id]) => id)).toEqual(Object.keys(statusOf))
  for (const [code, usual] of Object.entries(statusOf))
    expect(text.split(`id="${code}"`)[1]).toMatch(new RegExp(`^[^§]*?Status ${usual}\\b`))
  expect(text).toContain('<code>stored</code> messages are in the store')
  expect(text).not.toMatch(/\]\(|`/)
})

test('llms.txt is the index of an agent: title, summary, and every route with its place in the reference', async () => {
  const { status, type, text } = await got('/llms.txt')
  expect({ status, type }).toEqual({ status: 200, type: 'text/plain;charset=UTF-8' })
  expect(text).toMatch(/^# Varve\n\n> /)
  const reference = readFileSync(new URL('../../../../docs/reference/api.md', import.meta.url), 'utf8')
  for (const { verb, path, on, operation } of allRoutes()) {
    const short = path.replace(/^\/v1(?:\/projects\/\{project\})?(?:\/users\/\{user\})?(?=\/)/, '')
    const line = text.split('\n').find((one) => one.includes(`[${operation.name}](`))
    expect(line, operation.name).toContain(`: ${verb} ${on === 'memory' ? path.slice('/v1'.length) : short} – `)
    expect(reference).toContain(`### ${operation.name}\n`)
  }
})

test('every link of llms.txt leads to a document, and to a heading in it', async () => {
  const { text } = await got('/llms.txt')
  const links = new Set([...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link))
  expect(links.size).toBeGreaterThan(100)
  const pages = new Map<string, string>()
  for (const link of links) {
    const [path = '', heading] = link.split('#')
    if (!pages.has(path)) {
      const page = await got(`/${path}`)
      expect({ path, status: page.status }).toEqual({ path, status: 200 })
      pages.set(path, page.text)
    }
    const slugs = [...(pages.get(path)?.matchAll(/^#+ (.+)$/gm) ?? [])].map(([, title = '']) => slugOf(title))
    if (heading !== undefined) expect(slugs, link).toContain(heading)
  }
})

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

test('no file but a document of the index is read', async () => {
  const asked = ['../package.json', '..%2Fpackage.json', 'guides/../../README.md', 'architecture.md', 'guides', '', 'guides/none.md', '%00']
  for (const path of asked) expect({ path, status: (await got(`/docs/${path}`)).status }).toEqual({ path, status: 404 })
  expect(await got('/docs/operate/keys.md')).toMatchObject({ status: 200, type: 'text/markdown; charset=utf-8' })
})
