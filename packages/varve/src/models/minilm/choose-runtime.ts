import { ModelFailed } from '../../errors/model-failed.ts'
import { modelName } from './identity.ts'
import type { Runtime, RuntimePreference } from './runtime.ts'

/** The loader of each runtime. */
export type RuntimeLoaders = Readonly<Record<Runtime['kind'], () => Promise<Runtime>>>

export interface ChosenRuntime {
  readonly runtime: Runtime
  /** True when the faster runtime is simply not installed. */
  readonly lacksNative: boolean
  /** The reason why the faster runtime does not run though it is installed. */
  readonly passedOver: string | undefined
}

/**
 * Loads the native runtime, or else the one that comes with the package; or only the requested one. Throws ModelFailed
 * with every reason.
 */
export async function chooseRuntime(preference: RuntimePreference, load: RuntimeLoaders): Promise<ChosenRuntime> {
  const kinds = preference === 'auto' ? (['native', 'wasm'] as const) : [preference]
  const failures: { readonly kind: Runtime['kind']; readonly error: unknown }[] = []
  for (const kind of kinds) {
    try {
      const runtime = await load[kind]()
      const failed = failures[0]?.error
      const lacksNative = failed !== undefined && isNotInstalled(failed)
      return { runtime, lacksNative, passedOver: failed === undefined || lacksNative ? undefined : messageOf(failed) }
    } catch (error) {
      failures.push({ kind, error })
    }
  }
  const reason = failures
    .map(
      ({ kind, error }) => `${names[kind]}: ${isNotInstalled(error) ? 'not installed (npm install onnxruntime-node)' : messageOf(error)}`,
    )
    .join('; ')
  throw new ModelFailed(
    { model: modelName, reason: `it runs on nothing here. ${reason}`, isRetryable: false },
    { cause: failures.at(-1)?.error },
  )
}

const names: Readonly<Record<Runtime['kind'], string>> = { native: 'onnxruntime-node', wasm: 'WebAssembly' }

function isNotInstalled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'onnxruntime-node'")
}

function messageOf(error: unknown): string {
  return error instanceof Error
    ? error.message
        .replaceAll(/\s+/g, ' ')
        .replace(/[. ]+$/, '')
        .slice(0, 300)
    : String(error)
}
