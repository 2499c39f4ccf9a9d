import { expect, test } from 'vitest'
import { ModelFailed } from '../../errors/model-failed.ts'
import { chooseRuntime } from './choose-runtime.ts'
import type { Runtime } from './runtime.ts'

const working = (kind: Runtime['kind']) => async (): Promise<Runtime> => ({ kind, detail: kind, embed: async () => [] })
const broken = (message: string) => () => Promise.reject(new TypeError(message))
const absent = () =>
  Promise.reject(
    Object.assign(new TypeError("Cannot find package 'onnxruntime-node' imported from here"), { code: 'ERR_MODULE_NOT_FOUND' }),
  )

test('the native one where it works', async () => {
  const { runtime, lacksNative, passedOver } = await chooseRuntime('auto', { native: working('native'), wasm: broken('not asked') })
  expect([runtime.kind, lacksNative, passedOver]).toEqual(['native', false, undefined])
})

test('the one of the package where the native one is not installed', async () => {
  const { runtime, lacksNative, passedOver } = await chooseRuntime('auto', { native: absent, wasm: working('wasm') })
  expect([runtime.kind, lacksNative, passedOver]).toEqual(['wasm', true, undefined])
})

test('and where it is installed but does not load, with the reason', async () => {
  const { runtime, lacksNative, passedOver } = await chooseRuntime('auto', {
    native: broken('GLIBC_2.99 not found'),
    wasm: working('wasm'),
  })
  expect([runtime.kind, lacksNative, passedOver]).toEqual(['wasm', false, 'GLIBC_2.99 not found'])
})

test('only what is asked for', async () => {
  const wasm = await chooseRuntime('wasm', { native: working('native'), wasm: working('wasm') })
  expect([wasm.runtime.kind, wasm.lacksNative]).toEqual(['wasm', false])
  await expect(chooseRuntime('native', { native: absent, wasm: working('wasm') })).rejects.toMatchObject({
    isRetryable: false,
    reason: expect.stringMatching(/npm install onnxruntime-node/),
  })
})

test('both reasons where neither loads', async () => {
  const call = chooseRuntime('auto', { native: broken('no GLIBC'), wasm: broken('no SIMD') })
  await expect(call).rejects.toBeInstanceOf(ModelFailed)
  await expect(call).rejects.toMatchObject({
    isRetryable: false,
    reason: expect.stringMatching(/onnxruntime-node: no GLIBC; WebAssembly: no SIMD/),
  })
})
