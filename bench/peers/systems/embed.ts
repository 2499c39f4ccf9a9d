import { OpenAIEmbeddings } from '@langchain/openai'
import { modelName, noKey } from '../system.ts'

/** Makes LangChain's client of the endpoint. LangGraph takes it as it is; Orama takes vectors only, which it makes too. */
export function embedder(endpoint: string): OpenAIEmbeddings {
  return new OpenAIEmbeddings({ model: modelName, apiKey: noKey, configuration: { baseURL: endpoint } })
}
