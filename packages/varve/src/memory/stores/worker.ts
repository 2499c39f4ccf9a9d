import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../engine/threads/serve.ts'
import { sqliteEngine } from '../../storage/sqlite/sqlite-engine.ts'

// Only open-store.ts has this file run, with this shape.
if (parentPort !== null) serve(parentPort, sqliteEngine, workerData)
