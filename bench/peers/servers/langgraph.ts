import { startServer } from '@langchain/langgraph-api/server'
import { type ServeSystem, withoutKey } from './list.ts'

/**
 * LangGraph's server for development, without graphs: its store of items. It holds them in memory and writes all of them
 * to one file three seconds after the last call; a save is answered before.
 */
export const serveLangGraph: ServeSystem = async ({ folder }) => {
  const { host, cleanup } = await startServer({ port: 0, host: '127.0.0.1', nWorkers: 1, cwd: folder, graphs: {} })
  return { url: `http://${host}`, key: withoutKey, close: cleanup }
}
