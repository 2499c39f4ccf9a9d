import { parentPort, workerData } from 'node:worker_threads'
import { fileContains } from './scan-files.ts'

/** A search of a file in a thread of its own: reading a large store takes long, and nothing else should wait for it. */
export interface ScanRequest {
  readonly file: string
  readonly texts: readonly Uint8Array[]
}

// Only erase-bytes.ts starts this file, with this shape.
const { file, texts } = workerData as ScanRequest
parentPort?.postMessage(fileContains(file, texts))
