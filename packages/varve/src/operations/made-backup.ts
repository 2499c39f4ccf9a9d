/** A backup that was asked for. */
export interface BackupRequest {
  readonly path: string
  /** True to put it in the place of a file that is there. */
  readonly overwrite: boolean
}

/** A backup: a whole store in one file, verified and durable. */
export interface Backup {
  /** Absolute path. */
  readonly file: string
  readonly bytes: number
  readonly messages: number
  readonly receipts: number
  /** What was acknowledged by then is in it: UTC milliseconds. */
  readonly at: number
  /** The newest receipt in it: a restore replays those that came later. */
  readonly lastReceipt?: string
  /** The time that it took: milliseconds. */
  readonly ms: number
}
