import { Worker } from 'node:worker_threads'

const source = "const until = Date.now() + require('node:worker_threads').workerData\nwhile (Date.now() < until);"

/** As many threads as Varve has, that do nothing but keep cores busy: what they do to the event loop, the machine does. */
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
