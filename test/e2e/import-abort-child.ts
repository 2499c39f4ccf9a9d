import { Cancelled, importFile, openMemory } from '../../packages/varve/src/index.ts'

// Started by import-abort.test.ts, with a large file and the number of stops. Only the import keeps this process alive.
const [path = '', rounds = '0'] = process.argv.slice(2)

await using memory = await openMemory({ store: 'memory:', upkeep: 'manual' })
const ada = memory.for('ada')
let cancelled = 0
for (let round = 0; round < Number(rounds); round += 1) {
  const controller = new AbortController()
  let told = 0
  const onProgress = (): void => {
    told += 1
    if (told > round % 7) controller.abort()
  }
  try {
    await importFile(ada, path, { dryRun: true, signal: controller.signal, onProgress })
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    cancelled += 1
  }
}
console.log(`cancelled ${cancelled}`)
