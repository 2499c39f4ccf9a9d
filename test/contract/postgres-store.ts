import { randomUUID } from 'node:crypto'
import { postgresEngine } from '../../packages/varve/src/storage/postgres/postgres-engine.ts'
import type { StoreInitializer } from '../../packages/varve/src/testing/index.ts'

/** Makes PostgreSQL stores for the contract suite: schemas of one database. */
export function postgresStores(url: string): StoreInitializer {
  const suite = randomUUID().slice(0, 8)
  const schemas = new Map<string, string>()
  return {
    durable: true,
    open: async (name) => {
      const schema = schemas.get(name) ?? `contract_${suite}_${schemas.size}`
      schemas.set(name, schema)
      const address = new URL(url)
      address.searchParams.set('varve_schema', schema)
      const place = address.toString()
      const store = await postgresEngine.open({ place, writes: true, now: 0, identity: { id: 'store', key: 'key' } })
      return {
        write: (program) => store.write(program).catch((error: unknown) => Promise.reject(postgresEngine.classify(error, place, 'write'))),
        read: (program) => store.read(program),
        close: () => store.close(),
      }
    },
  }
}
