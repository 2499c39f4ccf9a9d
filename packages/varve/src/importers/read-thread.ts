import { parentPort, workerData } from 'node:worker_threads'
import { Line } from '../engine/threads/line.ts'
import { ExportReader } from './export-reader.ts'
import type { ReadRequest } from './read-in-thread.ts'

// Only read-in-thread.ts starts this file, with this shape.
const { path, format } = workerData as ReadRequest
const reader = new ExportReader(path, format)
if (parentPort !== null) Line.on(parentPort, { answer: () => reader.next() })
