import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { constants, Script } from 'node:vm'

/**
 * Is told the kind of a hook, in letters, when its work begins: `Stop`. Gives the means to tell the kinds whose work is done, or
 * undefined when the code of this kind is kept already.
 */
export type KindOfRun = (kind: string) => ((...kinds: readonly string[]) => void) | undefined

/** Code of a kind is written again after this time: a memory that has grown runs functions that a small one did not. */
const renewedMs = 24 * 3_600_000
/** A run that was ended too early writes code at most so often: on a slow machine each may be, and a prompt waits for the writing. */
const earlyMs = 3_600_000

/**
 * Runs a CommonJS script with the compiled code of earlier runs, which lies beside Node's own. Node's cache lacks the functions that
 * are compiled at their first call, and compiling them again takes a fifth of a hook's CPU time. The code is written at the exit of
 * the first run of each kind that does its work. Returns the means to tell that kind: a run that has nothing to do writes nothing.
 * Other files require the script as any module.
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
    if (kept === undefined || (isKept && isYounger(`${kept}-${kind}`, renewedMs))) return undefined
    const done: string[] = []
    process.on('exit', () => {
      if (done.length > 0 || !isKept || !isYounger(kept, earlyMs)) keep(script, kept, done)
    })
    return (...kinds) => void done.push(...kinds)
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

/** Tells whether a file was written within this time. */
function isYounger(path: string, ms: number): boolean {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
  return Math.abs(Date.now() - mtimeMs) < ms
}

/** Writes the code that ran, and marks the kinds whose work is done. Where nothing can be written, nothing is kept. */
function keep(script: Script, kept: string, kinds: readonly string[]): void {
  try {
    const made = `${kept}.${process.pid}`
    writeFileSync(made, script.createCachedData())
    renameSync(made, kept)
    for (const kind of kinds) writeFileSync(`${kept}-${kind}`, '')
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}
