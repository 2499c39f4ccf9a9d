import { expect, test } from 'vitest'
import { send, servedForTest } from '../fixtures/server/serve.ts'

test('the type of a problem can be followed without a key, and its page runs nothing', async () => {
  const { url } = await servedForTest()
  const { type, code } = JSON.parse((await send(url, 'GET', '/v1/projects/acme/users/ada/profile')).text)
  expect(code).toBe('UNAUTHENTICATED')
  const { pathname, hash } = new URL(type, url)
  const page = await send(url, 'GET', pathname)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/)
  expect(page.text).toContain(`id="${hash.slice(1)}"`)
  expect(page.text).not.toMatch(/<script|<link|https?:\/\//)
})

test('an agent gets the index and the pages that it names, without a key, as text', async () => {
  const { url } = await servedForTest()
  const index = await send(url, 'GET', '/llms.txt')
  expect(index.headers.get('content-type')).toMatch(/^text\/plain/)
  const [, guide = ''] = /\]\((docs\/guides\/server\.md)\)/.exec(index.text) ?? []
  const page = await send(url, 'GET', `/${guide}`)
  expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({ status: 200, type: 'text/markdown; charset=utf-8' })
  expect(page.text).toMatch(/^# Varve as a server/)
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
})
