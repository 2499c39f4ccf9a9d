import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../engine/threads/serve.ts'
import { sqliteEngine } from '../../storage/sqlite/sqlite-engine.ts'

// Only open-store.ts starts this file, and with data of this shape.
if (parentPort !== null) serve(parentPort, sqliteEngine, workerData)
