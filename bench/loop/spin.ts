import { Worker } from 'node:worker_threads'

const source = "const until = Date.now() + require('node:worker_threads').workerData\nwhile (Date.now() < until);"

/** Runs as many threads as Varve has that only keep cores busy: their effect on the event loop is the machine's. */
export async function spinning(threads: number, seconds: number): Promise<void> {
  const workers = Array.from({ length: threads }, () => new Worker(source, { eval: true, workerData: seconds * 1_000 }))
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise((resolve, reject) => {
          worker.on('exit', resolve)
          worker.on('error', reject)
        }),
    ),
  )
}
