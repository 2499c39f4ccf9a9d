import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../../engine/threads/serve.ts'
import { storeEngineOf } from './open-store.ts'

// Only open-store.ts starts this file, and with data of this shape.
if (parentPort !== null) {
  const port = parentPort
  // A message that comes before the engine is loaded waits in the port, which is not listened to yet.
  void storeEngineOf(workerData.place).then((engine) => serve(port, engine, workerData))
}
