import { writeSync } from 'node:fs'

/** Prints a line to the parent at once: after the return, a SIGKILL no longer takes it back. */
export function say(line: object): void {
  let bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

/** Returns the parent's arguments for this child; only the parent starts these files. */
export function childArguments<Shape>(): Shape {
  const shape: Shape = JSON.parse(process.argv[2] ?? '{}')
  return shape
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : `${error.name}: ${error.message}`
}
