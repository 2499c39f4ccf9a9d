import type { MessageInput } from '../../packages/varve/src/index.ts'

/** A request of a server's own format. */
export interface PeerRequest {
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** How a server is asked for the same: Varve's, and those of other makers. */
export interface PeerRoutes {
  readonly name: string
  readonly label: string
  /** Makes a thread, where one must be there before its first message. */
  thread?(thread: string): PeerRequest
  save(thread: string, message: MessageInput, id: string): PeerRequest
  /** Asks all threads of the owner for ten messages. Absent where the server cannot search without an agent's run. */
  recall?(query: string): PeerRequest
}

const owner = 'ada'
const limit = 10

export const varveRoutes: PeerRoutes = {
  name: 'varve',
  label: 'Varve',
  save: (thread, messages) => ({
    method: 'POST',
    path: `/v1/projects/bench/users/${owner}/sessions/${thread}/messages`,
    body: { messages },
  }),
  recall: (query) => ({ method: 'POST', path: `/v1/projects/bench/users/${owner}/recall`, body: { query, limit } }),
}

/** Its search without an embedding model gives the newest messages, whatever the question. */
const mastraRoutes: PeerRoutes = {
  name: 'mastra',
  label: 'Mastra',
  thread: (threadId) => ({
    method: 'POST',
    path: '/api/memory/threads?agentId=bench',
    body: { resourceId: owner, threadId, title: threadId },
  }),
  save: (threadId, message, id) => {
    const content = { format: 2, parts: [{ type: 'text', text: spokenText(message) }], content: spokenText(message) }
    const createdAt = new Date(Number(message.at ?? 0)).toISOString()
    return {
      method: 'POST',
      path: '/api/memory/save-messages?agentId=bench',
      body: { messages: [{ id, role: 'user', type: 'text', threadId, resourceId: owner, createdAt, content }] },
    }
  },
  recall: (searchQuery) => {
    const asked = new URLSearchParams({ agentId: 'bench', resourceId: owner, searchQuery, limit: String(limit) })
    return { method: 'GET', path: `/api/memory/search?${asked}` }
  },
}

/** The store of its server has no index: a search gives the first items of the namespace, whatever the question. So there is no recall. */
const langGraphRoutes: PeerRoutes = {
  name: 'langgraph',
  label: 'LangGraph',
  save: (thread, message, key) => ({
    method: 'PUT',
    path: '/store/items',
    body: { namespace: [owner, thread], key, value: { text: spokenText(message), at: message.at } },
  }),
}

export const peerRoutes: readonly PeerRoutes[] = [mastraRoutes, langGraphRoutes]

/** The speaker in the text, for servers that keep one text a message. */
function spokenText({ name, content }: MessageInput): string {
  return `${name}: ${String(content)}`
}
