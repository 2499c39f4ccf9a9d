/** The receiver of warnings. */
export interface Logger {
  warn(message: string): void
}

/** The process's own warning channel: stderr, never stdout. */
export const processLogger: Logger = { warn: (message) => process.emitWarning(message, 'VarveWarning') }
