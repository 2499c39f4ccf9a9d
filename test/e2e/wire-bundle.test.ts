import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundleClient } from '../../scripts/bundle.ts'
import { root } from '../built.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { served } from '../fixtures/wire/served.ts'

const entry = join(root, 'packages', 'varve', 'src', 'client', 'index.ts')
/** The most bytes of the client: minified, and compressed as servers do. */
const mostBytes = { minified: 16_600, compressed: 7_200 }

test('the client is one file without imports, and takes at most 16.6 kB, 7.2 kB compressed', async () => {
  const { code, imports } = await bundleClient(entry, { minify: true })
  const compressed = gzipSync(code).length
  console.log(`varve/client: ${code.length} bytes minified, ${compressed} compressed`)
  expect(imports).toEqual([])
  expect(code).not.toMatch(/\brequire\(|node:|process\.|(?<!Array)Buffer\b/)
  expect(code.length).toBeLessThanOrEqual(mostBytes.minified)
  expect(compressed).toBeLessThanOrEqual(mostBytes.compressed)
})

test('the client runs where there is only what a browser has', async () => {
  const memory = await openForTest()
  const { url, close } = await served(memory)
  const { code } = await bundleClient(entry, { minify: true })
  const script = code.replace(/export\s*\{([^}]*)\};?/, (_, names: string) =>
    names
      .split(',')
      .map((name) => name.trim().split(/\s+as\s+/))
      .map(([local, exported = local]) => `globalThis.${exported} = ${local};`)
      .join('\n'),
  )
  const page = createContext({
    ...{ fetch, URL, URLSearchParams, TextDecoder, TextEncoder, AbortController, ReadableStream, Blob, crypto, performance },
    ...{ setTimeout, clearTimeout, document: {}, url },
  })
  runInContext(script, page)
  const told: unknown = await runInContext(
    `(async () => {
      const memory = connect({ url, key: 'varve_key' })
      const ada = memory.for({ project: 'acme', user: 'ada' })
      await ada.append('talk', { role: 'user', content: 'The ferry leaves at nine.' })
      const lines = []
      for await (const line of ada.export()) lines.push(line)
      const imported = await memory.for('bo').import((function* () { yield* lines })())
      const wrong = await ada.append('..', []).catch((error) => error.code)
      const { hits } = await ada.recall('ferry')
      await memory.close()
      return JSON.stringify([hits.map(({ text }) => text), lines.length, imported.state, wrong, VarveError.is(null)])
    })()`,
    page,
  )
  expect(JSON.parse(String(told))).toEqual([['The ferry leaves at nine.'], expect.any(Number), 'waiting', 'SCOPE_INVALID', false])
  await close(1_000)
})
