import { type Memory, openMemory } from '../packages/varve/src/index.ts'
import { withoutVectors } from './speed/product.ts'

// Started by idle.ts only, with the store's address and the number of instances.
const [store = '', count = '0'] = process.argv.slice(2)
const memories: Memory[] = []
for (let opened = 0; opened < Number(count); opened += 1) {
  const memory = await openMemory({ store, engine: 'inline', upkeep: 'background', isolation: 'silent', ...withoutVectors })
  await memory.for('somebody').recall('what was said about it')
  memories.push(memory)
}
process.on('disconnect', () => void Promise.allSettled(memories.map((memory) => memory.close())).then(() => process.exit(0)))
process.send?.('open')
