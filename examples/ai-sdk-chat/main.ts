import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { openMemory } from 'varve'
import { chatServer } from './chat.ts'

const { VARVE_MODEL_URL: baseURL, VARVE_MODEL: name, VARVE_MODEL_KEY: apiKey, PORT = '3000' } = process.env
if (baseURL === undefined || name === undefined) {
  console.error(
    'Set VARVE_MODEL_URL and VARVE_MODEL, such as http://localhost:11434/v1 and qwen3. VARVE_MODEL_KEY is for servers that want one.',
  )
  process.exit(2)
}
const model = createOpenAICompatible({ name: 'chat', baseURL, ...(apiKey === undefined ? {} : { apiKey }) })(name)
const memory = await openMemory({ store: './chat.db' })
const { server, settled } = chatServer(memory, model)
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : PORT}`)
})
process.once('SIGINT', () => {
  server.closeAllConnections()
  server.close(() => void settled().then(() => memory.close()))
})
