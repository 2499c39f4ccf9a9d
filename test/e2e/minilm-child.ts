import { openMemory } from '../../packages/varve/src/index.ts'

// A process that stores some talk, embeds it, and asks; started by minilm.test.ts only.
const [store = '', user = '', talk = '[]', question = ''] = process.argv.slice(2)
const contents: string[] = JSON.parse(talk)
await using memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent' })
const handle = memory.for(user)
await handle.append(
  'monday',
  contents.map((content) => ({ role: 'user' as const, content })),
)
while ((await memory.upkeep.status()).backlog.embeddings > 0) await memory.upkeep.run()
const { hits, degraded } = await handle.recall(question)
process.send?.({ text: hits[0]?.text, degraded })
