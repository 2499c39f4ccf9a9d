import { OpenAIEmbeddings } from '@langchain/openai'
import { modelName, noKey } from '../system.ts'

/** LangChain's client of the endpoint: LangGraph takes it as it is, and Orama takes vectors only, so it serves both. */
export function embedder(endpoint: string): OpenAIEmbeddings {
  return new OpenAIEmbeddings({ model: modelName, apiKey: noKey, configuration: { baseURL: endpoint } })
}
