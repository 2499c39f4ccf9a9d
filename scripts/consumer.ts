import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)

export interface Outcome {
  readonly ok: boolean
  readonly output: string
  readonly ms: number
}

/** Somebody else's project that depends on the packed package, in a folder outside this one, on the present Node. */
export class Consumer implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'varve-consumer-'))
  readonly #env = cleanEnvironment()

  constructor() {
    this.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  /** At most two minutes: an example that does not end has left something open. */
  run(command: string, ...args: readonly string[]): Outcome {
    const start = performance.now()
    const done = spawnSync(command, args, { cwd: this.folder, env: this.#env, encoding: 'utf8', timeout: 120_000 })
    const ms = Math.round(performance.now() - start)
    const why = done.error === undefined ? '' : `${done.error.message}\n`
    return { ok: done.status === 0, output: `${done.stdout ?? ''}${done.stderr ?? ''}${why}`.trimEnd(), ms }
  }

  /** Installs the package without install scripts. */
  install(tarball: string): Outcome {
    return this.run('npm', 'install', tarball, '--ignore-scripts=true', '--no-audit', '--no-fund', '--loglevel=error')
  }

  /** Runs the install scripts: the only other work of an install with scripts. */
  runInstallScripts(): Outcome {
    return this.run('npm', 'rebuild', '--ignore-scripts=false', '--loglevel=error')
  }

  /** Type-checks files as a strict project would, and reports errors in them and in our declarations. */
  typeCheck(...files: readonly string[]): Outcome {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2024',
      module: 'nodenext',
      typeRoots: [join(root, 'node_modules', '@types')],
      types: ['node'],
    }
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
    const checked = this.run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false')
    // Errors in the declarations of our dependencies are not ours to fix.
    const problems = checked.output
      .split('\n')
      .filter((line) => /^\S+\(\d+,\d+\): error/.test(line) && !/^node_modules\/(?!varve\/)/.test(line))
    const ok = checked.ok || (problems.length === 0 && /: error /.test(checked.output))
    return { ...checked, ok, output: problems.join('\n') || (ok ? '' : checked.output) }
  }

  installedMegabytes(): number {
    return Math.round(Number.parseInt(this.run('du', '-sk', 'node_modules').output, 10) / 102.4) / 10
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Returns the environment without npm's variables about this project, and with this Node first on the path. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const ours =
    /^(npm_(lifecycle|package)_|npm_config_(local_prefix|ignore_scripts|omit|include|noproxy)$|INIT_CWD$|NODE_(ENV|OPTIONS|PATH)$|VARVE_)/
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name))
  return { ...Object.fromEntries(kept), PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` }
}
