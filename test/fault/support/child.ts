import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { builtProgram } from '../../built.ts'

export interface ChildOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** The user to run as, for permissions that do not stop root. */
  readonly uid?: number
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

/** A process of the suite: it gets its arguments as JSON, and reports in lines of JSON. */
export class Child<Line> {
  readonly ended: Promise<Ended>
  readonly lines: Line[] = []
  readonly #process: ChildProcess
  readonly #listeners = new Set<() => void>()
  #over = false

  constructor(script: string, args: object, { environment = {}, uid }: ChildOptions = {}) {
    this.#process = spawn(process.execPath, [builtProgram(`test/fault/children/${script}`), JSON.stringify(args)], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    })
    let stderr = ''
    this.#process.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()))
    if (this.#process.stdout !== null) createInterface({ input: this.#process.stdout }).on('line', (line) => this.#take(line))
    this.ended = new Promise((resolve) =>
      this.#process.once('close', (code, signal) => {
        this.#over = true
        this.#tell()
        resolve({ code, signal, stderr })
      }),
    )
  }

  /** Returns the first line that fits, now or later; undefined when the child ended without it. */
  async line(fits: (line: Line) => boolean): Promise<Line | undefined> {
    for (;;) {
      const found = this.lines.find(fits)
      if (found !== undefined || this.#over) return found
      await new Promise<void>((resolve) => this.#listeners.add(resolve))
    }
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }

  #take(text: string): void {
    // The last line of a killed child may be half a line: only whole lines count.
    if (!text.startsWith('{') || !text.endsWith('}')) return
    const line: Line = JSON.parse(text)
    this.lines.push(line)
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
