import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Memory } from 'mem0ai/oss'
import type { MemoryUnderTest } from '../../../packages/varve/src/testing/index.ts'
import { dimension, modelName, noKey } from '../system.ts'

/** What one owner holds: the memory of all, and the filter that the owner is told to give. */
interface Filtered {
  readonly memory: Memory
  readonly owner: { readonly userId: string; readonly agentId: string }
  readonly filters: { readonly user_id: string; readonly agent_id: string }
}

/** mem0 keeps owners apart by a filter. Its calls with an id take no filter. A project is an agent's id. */
export function mem0(endpoint: string): MemoryUnderTest<Filtered> {
  return {
    open: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'varve-peers-'))
      const memory = new Memory({
        embedder: { provider: 'openai', config: { apiKey: noKey, model: modelName, baseURL: endpoint } },
        vectorStore: { provider: 'memory', config: { collectionName: 'memories', dimension, dbPath: join(folder, 'vector_store.db') } },
        llm: { provider: 'openai', config: { apiKey: noKey, model: 'none', baseURL: `${endpoint}/refused` } },
        historyDbPath: join(folder, 'history.db'),
      })
      return {
        handle: ({ project, user }) => ({
          memory,
          owner: { userId: user, agentId: project },
          filters: { user_id: user, agent_id: project },
        }),
        close: async () => rmSync(folder, { recursive: true, force: true }),
      }
    },
    write: async ({ memory, owner }, session, text) => {
      const { results } = await memory.add([{ role: 'user', content: text }], { ...owner, metadata: { session }, infer: false })
      return results.map(({ id }) => id)
    },
    calls: ({ memory, owner, filters }, { id, question, text }) => ({
      add: () => memory.add(text, { ...owner, infer: false }),
      search: () => memory.search(question, { filters }),
      getAll: () => memory.getAll({ filters }),
      get: () => memory.get(id),
      history: () => memory.history(id),
      update: () => memory.update(id, text),
      delete: () => memory.delete(id),
      deleteAll: () => memory.deleteAll(owner),
      reset: () => memory.reset(),
    }),
    state: async ({ memory, filters }) => (await memory.getAll({ filters, topK: 1_000 })).results,
    search: async ({ memory, filters }, question) => (await memory.search(question, { filters, topK: 50 })).results,
    forgetAll: ({ memory, owner }) => memory.deleteAll(owner),
    surface: ({ memory }) => memory,
    // Declared private in its types.
    areNotPublic: [
      ...['config', 'embedder', 'vectorStore', 'llm', 'reranker', 'db', 'getEntityStore', 'escapeScopeValue', 'buildSessionScope'],
      ...['addToVectorStore', 'createMemory', 'updateMemory', 'deleteMemory'],
    ],
    reachesNothing: { updateProject: 'only the hosted service has it: it always rejects' },
  }
}
