import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { constants, Script } from 'node:vm'

/** Is told the kind of this run's hook, in letters: `Stop`. */
export type KindOfRun = (kind: string) => void

/**
 * Runs a CommonJS script with the compiled code of earlier runs, which lies beside Node's own. Node's cache lacks the functions that
 * are compiled at their first call, and compiling them again takes a fifth of a hook's CPU time. The code is written at the exit of
 * the first run of each kind. Returns the means to tell that kind. Other files require the script as any module.
 */
export function runKept(file: string): KindOfRun {
  const kept = keptPath(file)
  const cachedData = kept === undefined ? undefined : readOwn(kept)
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`
  const script = new Script(source, {
    ...{ filename: file, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  const own = new nodeModule(file)
  own.filename = file
  const require = createRequire(file)
  require.cache[file] = own
  const run: (...given: readonly unknown[]) => void = script.runInThisContext()
  run(own.exports, require, own, file, dirname(file))
  own.loaded = true
  const isKept = cachedData !== undefined && script.cachedDataRejected !== true
  return (kind) => {
    if (kept === undefined || (isKept && existsSync(`${kept}-${kind}`))) return
    process.on('exit', () => keep(script, kept, kind))
  }
}

/** Another build has another size or status time. Archives set the time of a file's content, and never its status time. */
function keptPath(file: string): string | undefined {
  const folder = nodeModule.getCompileCacheDir()
  const { size, ctimeMs } = statSync(file)
  return folder === undefined ? undefined : join(folder, `${basename(file)}-${size}-${ctimeMs}`)
}

/** Reads code that this user wrote. It runs, and the usual folder is in one that all users of a machine share. */
function readOwn(path: string): Buffer | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      return fstatSync(file).uid === (process.getuid?.() ?? 0) ? readFileSync(file) : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** Writes the code that ran. Where nothing can be written, nothing is kept. */
function keep(script: Script, kept: string, kind: string): void {
  try {
    const made = `${kept}.${process.pid}`
    writeFileSync(made, script.createCachedData())
    renameSync(made, kept)
    writeFileSync(`${kept}-${kind}`, '')
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}
