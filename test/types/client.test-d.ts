// Checked by `npm run types`, never run: code that was written for the library's memory takes a server's.
import { expectTypeOf } from 'vitest'
import { connect, type RemoteMemory, type RemoteUserMemory } from '../../packages/varve/src/client/index.ts'
import { withTools } from '../../packages/varve/src/client/tools.ts'
import type { MemoryOfFiles } from '../../packages/varve/src/integrations/anthropic/index.ts'
import type { TranscriptMemory } from '../../packages/varve/src/integrations/claude-agent-sdk/index.ts'
import type { Memory, ProjectMemory, Recalled, UserMemory } from '../../packages/varve/src/index.ts'

/** The methods and handles of a user's memory, except the agents' tools. */
type Layers = 'blocks' | 'facts' | 'instructions' | 'documents'
type Agent = Omit<UserMemory, Layers | 'tools'> & { readonly [Name in Layers]: Omit<UserMemory[Name], 'tools'> }

async function remembering(ada: Agent): Promise<readonly string[]> {
  await ada.append('monday', { role: 'user', content: 'I moved to Hven.' })
  for await (const { object } of ada.facts.list()) expectTypeOf(object).toBeString()
  const { hits } = await ada.recall('Hven', { limit: 3, signal: AbortSignal.timeout(100), deadlineMs: 50 })
  return hits.map(({ text }) => text)
}

export async function oneLineDiffers(embedded: Memory): Promise<void> {
  const memory = connect({ url: 'http://127.0.0.1:1', key: 'k' })
  for (const one of [embedded, memory]) await remembering(one.for({ project: 'acme', user: 'ada' }))
  expectTypeOf(await memory.for('ada').recall('x')).toEqualTypeOf<Recalled>()
}

/** With the tools, the handles of a server's memory have the library's types. */
export function toolsOf(embedded: UserMemory, remote: RemoteUserMemory): void {
  const ada = withTools(remote)
  expectTypeOf(ada.facts.tools({ session: 'monday' })).toEqualTypeOf(embedded.facts.tools({ session: 'monday' }))
  expectTypeOf(ada.tools({ session: 'monday' })).toEqualTypeOf(embedded.tools({ session: 'monday' }))
  expectTypeOf(ada.documents.tools()).toEqualTypeOf(embedded.documents.tools())
  expectTypeOf(ada.facts.add).toEqualTypeOf(embedded.facts.add)
}

/** What a server's memory does not have of the library's. */
type Absent<Library, Remote> = Exclude<keyof Library, keyof Remote>
expectTypeOf<Absent<Memory, RemoteMemory>>().toEqualTypeOf<
  'counters' | 'backup' | 'doorStore' | 'callsFor' | 'callsForShared' | 'callsForStore'
>()
expectTypeOf<Absent<UserMemory, RemoteUserMemory>>().toEqualTypeOf<'tools'>()
expectTypeOf<Absent<ProjectMemory, ReturnType<RemoteMemory['project']>>>().toBeNever()
expectTypeOf<Absent<UserMemory['blocks'], RemoteUserMemory['blocks']>>().toEqualTypeOf<'tools'>()
expectTypeOf<Memory>().toExtend<Pick<RemoteMemory, 'receipts' | 'contexts' | 'upkeep' | 'ledger' | 'costs' | 'doctor' | 'close'>>()
expectTypeOf<RemoteMemory>().toExtend<Pick<Memory, 'receipts' | 'contexts' | 'upkeep' | 'ledger' | 'costs' | 'doctor' | 'close'>>()

// Files of the memory tool and transcripts take either handle.
expectTypeOf<UserMemory>().toExtend<MemoryOfFiles & TranscriptMemory>()
expectTypeOf<RemoteUserMemory>().toExtend<MemoryOfFiles & TranscriptMemory>()
