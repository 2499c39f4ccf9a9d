/** A request that was answered, for logs and metrics. */
export interface AnsweredRequest {
  readonly requestId: string
  readonly verb: string
  /** The path as the table of routes has it: without names. */
  readonly route: string
  readonly status: number
  readonly ms: number
  /** The failure that no error of Varve stands for. */
  readonly fault?: unknown
}

/** The receiver of log lines. */
export interface LogSink {
  write(line: string): unknown
}

/** The levels, and what each writes: failures of the server, or every request. */
export const logLevels = ['silent', 'errors', 'requests'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Writes a line of JSON for a request: its id, verb, route, status and time. A route has no names, so no line has a
 * word of anybody; a fault is told by its class, its place in the code and never by its message.
 */
export function requestLog(sink: LogSink, level: LogLevel, now: () => number): (answered: AnsweredRequest) => void {
  return ({ requestId, verb, route, status, ms, fault }) => {
    if (level === 'silent' || (level === 'errors' && status < 500)) return
    const at = new Date(now()).toISOString()
    const told = { at, level: status >= 500 ? 'error' : 'info', request: requestId, verb, route, status, ms: Math.round(ms * 10) / 10 }
    sink.write(`${JSON.stringify(fault === undefined ? told : { ...told, fault: placeOf(fault) })}\n`)
  }
}

/** The most lines of a stack that a log keeps. */
const stackLines = 8

function placeOf(fault: unknown): { readonly name: string; readonly at: readonly string[] } {
  if (!(fault instanceof Error)) return { name: typeof fault, at: [] }
  const frames = (fault.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { name: fault.name, at: frames.slice(0, stackLines).map((line) => line.trim()) }
}
