import { parentPort, workerData } from 'node:worker_threads'
import { filesContain } from './scan-files.ts'

/** Searches files in a thread of its own: a large store takes a while to read, and nothing else should wait for it. */
export interface ScanRequest {
  readonly files: readonly string[]
  readonly fragments: readonly Uint8Array[]
}

// Only erase-bytes.ts starts this file, with this shape.
const { files, fragments } = workerData as ScanRequest
parentPort?.postMessage(filesContain(files, fragments))
