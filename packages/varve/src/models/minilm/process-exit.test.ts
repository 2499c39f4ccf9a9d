import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { builtProgram } from '../../../../../test/built.ts'

const module = pathToFileURL(builtProgram('packages/varve/src/models/minilm/minilm.ts')).href

/** Runs a program with a model of its own. Returns its exit code or signal, and its output. */
async function run(runtime: 'native' | 'wasm', program: string): Promise<{ ended: number | string; output: string }> {
  const head =
    `import { miniLm } from ${JSON.stringify(module)}; const model = miniLm({ runtime: '${runtime}', threads: 2 }); const long = ` +
    `Array.from({ length: 40 }, () => 'word '.repeat(250));`
  const child = spawn(process.execPath, ['--input-type=module', '-e', head + program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 25_000,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code, signal]: unknown[] = await once(child, 'close')
  return { ended: typeof code === 'number' ? code : String(signal), output }
}

const loaded = "await model.embed(['load']); model.embed(long).catch(() => undefined);"
const soon = (milliseconds: number, statement: string) => `setTimeout(() => { ${statement} }, ${milliseconds});`

// onnxruntime-node aborts a process that exits while it computes, if nobody prevents it: exit code 134.
test.each(['native', 'wasm'] as const)('a process that exits while %s computes or loads exits as it wants to', async (runtime) => {
  for (const delay of [0, 30]) expect(await run(runtime, `${loaded}${soon(delay, 'process.exit(7)')}`)).toMatchObject({ ended: 7 })
  for (const delay of [100])
    expect(await run(runtime, `model.embed(long).catch(() => undefined);${soon(delay, 'process.exit(7)')}`)).toMatchObject({ ended: 7 })
  expect(await run(runtime, `${loaded}${soon(20, "throw new TypeError('a bug of the host')")}`)).toMatchObject({
    ended: 1,
    output: expect.stringMatching(/a bug of the host/),
  })
})

test.each(['native', 'wasm'] as const)('a model that is closed while %s computes ends cleanly', async (runtime) => {
  expect(await run(runtime, `${loaded}${soon(20, "void model.close().then(() => console.log('closed'))")}`)).toEqual({
    ended: 0,
    output: 'closed\n',
  })
})

test('an idle model does not keep the process alive, a call that is awaited does', async () => {
  expect(await run('native', "console.log((await model.embed(['x'])).length)")).toEqual({ ended: 0, output: '1\n' })
})

test('a call that does not hold the process is left behind', async () => {
  expect(
    await run('native', "await model.embed(['load']); model.embed(long, { holdsProcess: false }).then(() => console.log('done'))"),
  ).toEqual({ ended: 0, output: '' })
})

test('a model that is loaded ahead does not keep the process alive', async () => {
  expect(await run('wasm', "model.load().then(() => console.log('loaded'))")).toEqual({ ended: 0, output: '' })
})
