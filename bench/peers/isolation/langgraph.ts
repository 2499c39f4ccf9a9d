import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import type { MemoryUnderTest } from '../../../packages/varve/src/testing/index.ts'
import { dimension } from '../system.ts'
import { embedder } from '../systems/embed.ts'

/** What one owner holds: the store of all, and the namespace that the owner is told to give. */
interface Named {
  readonly store: InMemoryStore
  readonly namespace: string[]
}

/** LangGraph's store keeps owners apart by a namespace, which every call takes. */
export function langGraph(endpoint: string): MemoryUnderTest<Named> {
  let keys = 0
  return {
    open: async () => {
      const store = new InMemoryStore({ index: { dims: dimension, embeddings: embedder(endpoint), fields: ['text'] } })
      return { handle: ({ project, user }) => ({ store, namespace: [project, user] }), close: async () => undefined }
    },
    write: async ({ store, namespace }, session, text) => {
      keys += 1
      const key = `k${keys}`
      await store.put(namespace, key, { text, session })
      return [key]
    },
    calls: ({ store, namespace }, { id, question, text }) => ({
      put: () => store.put(namespace, 'mine', { text }),
      get: () => store.get(namespace, id),
      search: () => store.search(namespace, { query: question }),
      listNamespaces: () => store.listNamespaces({ prefix: namespace }),
      batch: () => store.batch([{ namespacePrefix: namespace, limit: 10, offset: 0 }]),
      delete: () => store.delete(namespace, id),
    }),
    state: ({ store, namespace }) => store.search(namespace, { limit: 1_000 }),
    search: ({ store, namespace }, question) => store.search(namespace, { query: question, limit: 50 }),
    forgetAll: async ({ store, namespace }) => {
      for (const { key } of await store.search(namespace, { limit: 1_000 })) await store.delete(namespace, key)
    },
    surface: ({ store }) => store,
    // Declared private in its types.
    areNotPublic: [
      ...['data', 'vectors', 'getOperation', 'putOperation', 'listNamespacesOperation', 'doesMatch', 'filterItems', 'scoreResults'],
      ...['paginateResults', 'extractTexts', 'insertVectors', 'getVectors', 'cosineSimilarity', 'indexConfig'],
    ],
    reachesNothing: { start: 'does nothing', stop: 'does nothing' },
  }
}
