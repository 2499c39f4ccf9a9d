import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Control } from './control.ts'
import type { Folder } from '../support/folder.ts'

export interface Shim {
  readonly control: string
  /** Returns the environment that puts a child under the shim. */
  environment(store: string, journal?: string): Record<string, string>
}

/** Returns the reason why there can be no shim here; undefined when there can be one. */
export function shimMissing(): string | undefined {
  if (process.platform !== 'linux') return `the shim needs Linux, this is ${process.platform}`
  const compiler = spawnSync('cc', ['-E', '-include', 'stdlib.h', '-x', 'c', '/dev/null'], { stdio: 'ignore' })
  return compiler.status === 0 ? undefined : 'the shim needs a C compiler (cc) and libc headers: apt-get install gcc libc6-dev'
}

/** Compiles the shim into a folder, with a control file beside it. */
export function buildShim(folder: Folder): Shim {
  const library = folder.file('shim.so')
  const source = join(import.meta.dirname, 'shim.c')
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Werror', '-o', library, source, '-ldl', '-lpthread'], {
    encoding: 'utf8',
  })
  if (built.status !== 0) throw new TypeError(`the shim does not compile: ${built.stderr}`)
  const control = folder.file('control')
  Control.create(control)
  return {
    control,
    environment: (store, journal) => ({
      LD_PRELOAD: library,
      VARVE_SHIM_CONTROL: control,
      VARVE_SHIM_STORE: store,
      ...(journal === undefined ? {} : { VARVE_SHIM_JOURNAL: journal }),
    }),
  }
}
