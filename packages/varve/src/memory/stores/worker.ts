import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../engine/threads/serve.ts'
import { storeEngineOf } from './open-store.ts'

// Only open-store.ts starts this file, and with data of this shape.
if (parentPort !== null) serve(parentPort, () => storeEngineOf(workerData.place), workerData)
