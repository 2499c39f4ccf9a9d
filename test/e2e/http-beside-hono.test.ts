import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const library = JSON.stringify(import.meta.resolve('../../packages/varve/src/index.ts'))
// By its file: another test of this process may have left its folder.
const adaptor = JSON.stringify(import.meta.resolve('@hono/node-server'))
const door = JSON.stringify(import.meta.resolve('../../packages/varve/src/server/index.ts'))

/** A host that serves an application of its own by the same adaptor, which replaces the global Response, then a memory. */
const host = `
  import { serve } from ${adaptor}
  const { promise, resolve } = Promise.withResolvers()
  const own = serve({ fetch: () => new Response('own'), port: 0, hostname: '127.0.0.1' }, resolve)
  await promise
  const { openMemory } = await import(${library})
  const { serveMemory } = await import(${door})
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false })
  const { key } = await memory.keys.create({ project: 'kiosk' })
  const server = await serveMemory(memory, { port: 0 })
  const at = server.url + '/v1/projects/kiosk/users/ada/sessions'
  for (const method of ['GET', 'HEAD', 'PUT', 'GET']) {
    const got = await fetch(at, { method, headers: { authorization: 'Bearer ' + key } })
    console.log(got.status, await got.text())
  }
  await server.close()
  await memory.close()
  own.close()
`

test('a host that has called the adaptor before gets each answer of its memory once', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', host])
  expect(stderr).toBe('')
  expect(stdout.trim().split('\n')).toEqual(['200 {"items":[]}', '200 ', expect.stringMatching(/^405 /), '200 {"items":[]}'])
})
