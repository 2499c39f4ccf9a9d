import { postgresEngine } from '../../packages/varve/src/storage/postgres/postgres-engine.ts'
import type { StoreInitializer } from '../../packages/varve/src/testing/index.ts'
import { giveStore, takeStore } from '../fixtures/postgres/schemas.ts'

interface Place {
  readonly address: string
  open: number
}

/** Makes PostgreSQL stores for the contract suite: schemas of one database. Those of earlier checks are used again. */
export function postgresStores(): StoreInitializer {
  const places = new Map<string, Place>()
  const newPlace = async (name: string): Promise<Place> => {
    for (const [earlier, { address, open }] of places) if (open === 0 && places.delete(earlier)) giveStore(address)
    const place = { address: await takeStore(), open: 0 }
    places.set(name, place)
    return place
  }
  return {
    durable: true,
    open: async (name) => {
      const place = places.get(name) ?? (await newPlace(name))
      place.open += 1
      const { address } = place
      const store = await postgresEngine.open({ place: address, writes: true, now: 0, identity: { id: 'store', key: 'key' } })
      let closed: Promise<void> | undefined
      return {
        write: (program) =>
          store.write(program).catch((error: unknown) => Promise.reject(postgresEngine.classify(error, address, 'write'))),
        read: (program) => store.read(program),
        close: () =>
          (closed ??= store.close().finally(() => {
            place.open -= 1
          })),
      }
    },
  }
}
