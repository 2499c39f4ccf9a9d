// Checked by `npm run types`, never run: an expected error is one that a caller must get.
import { expectTypeOf } from 'vitest'
import {
  type AppendResult,
  type ForgetInput,
  type Memory,
  type MemoryOptions,
  type Message,
  type MessageId,
  type Metadata,
  openMemory,
  type Origin,
  type ProjectMemory,
  type Receipt,
  type Role,
  type UserMemory,
} from '../../packages/varve/src/index.ts'

declare const memory: Memory
declare const ada: UserMemory

export async function opening(): Promise<void> {
  expectTypeOf(openMemory).returns.resolves.toEqualTypeOf<Memory>()
  expectTypeOf(openMemory).parameter(0).toEqualTypeOf<MemoryOptions | undefined>()
  await openMemory({ store: 'memory:', languageModel: false, layers: { bank: true }, upkeep: 'manual', isolation: 'error' })
  // @ts-expect-error an option that does not exist
  await openMemory({ path: './varve.db' })
  // @ts-expect-error a layer that does not exist
  await openMemory({ layers: { moods: true } })
  // @ts-expect-error isolation has no such mode
  await openMemory({ isolation: 'off' })
  // @ts-expect-error `true` names no model
  await openMemory({ languageModel: true })
}

export function handles(): void {
  expectTypeOf(memory.for('ada')).toEqualTypeOf<UserMemory>()
  expectTypeOf(memory.for({ project: 'acme', user: 'ada' })).toEqualTypeOf<UserMemory>()
  expectTypeOf(memory.for({ project: 'acme' })).toEqualTypeOf<UserMemory>()
  expectTypeOf(memory.project('acme')).toEqualTypeOf<ProjectMemory>()
  // @ts-expect-error a scope is given
  memory.for()
  // @ts-expect-error a user that is present is a string: undefined would be the anonymous user by mistake
  memory.for({ project: 'acme', user: undefined })
  // @ts-expect-error the same for null
  memory.for({ project: 'acme', user: null })
  // @ts-expect-error a number is no user
  memory.for(7)
  // @ts-expect-error `tenant` is not a word of a scope
  memory.for({ project: 'acme', user: 'ada', tenant: 'x' })
}

export async function appending(): Promise<void> {
  expectTypeOf(await ada.append('talk', { role: 'user', content: 'I moved to Hven.' })).toEqualTypeOf<AppendResult>()
  const { messages, duplicates } = await ada.append('talk', [
    { role: 'user', content: 'I moved to Hven.', at: new Date(), id: 'm1', metadata: { channel: 'web' } },
    { role: 'assistant', parts: [{ type: 'text', text: 'Noted.' }] },
  ])
  expectTypeOf(messages[0]?.id).toEqualTypeOf<MessageId | undefined>()
  expectTypeOf(messages[0]?.seq).toEqualTypeOf<number | undefined>()
  expectTypeOf(duplicates).toEqualTypeOf<readonly string[]>()
  expectTypeOf<Role>().toEqualTypeOf<'user' | 'assistant' | 'tool' | 'system'>()
  expectTypeOf<Origin>().toEqualTypeOf<'person' | 'assistant' | 'tool' | 'system'>()
  // @ts-expect-error roles are a closed list
  await ada.append('talk', { role: 'human', content: 'Hello.' })
  // @ts-expect-error so are origins: `user` is a role
  await ada.append('talk', { role: 'user', content: 'Hello.', origin: 'user' })
  // @ts-expect-error every message has a role
  await ada.append('talk', { content: 'Hello.' })
  // @ts-expect-error a field that does not exist
  await ada.append('talk', { role: 'user', content: 'Hello.', text: 'Hello.' })
  // @ts-expect-error a string is no message
  await ada.append('talk', 'Hello.')
  // @ts-expect-error metadata is JSON
  await ada.append('talk', { role: 'user', content: 'Hello.', metadata: { at: new Date() } })
}

export async function readingBack(message: Message): Promise<void> {
  expectTypeOf(message.content).toBeString()
  expectTypeOf(message.at).toBeNumber()
  expectTypeOf(message.metadata).toEqualTypeOf<Metadata | undefined>()
  expectTypeOf((await ada.messages('talk'))[0]).toEqualTypeOf<Message | undefined>()
  // @ts-expect-error what was stored is changed by `replace` alone
  message.content = 'Hello.'
  // @ts-expect-error unknown option
  await ada.messages('talk', { offset: 10 })
}

export async function ids(message: Message): Promise<void> {
  expectTypeOf<MessageId>().toExtend<string>()
  expectTypeOf<string>().not.toExtend<MessageId>()
  expectTypeOf<number>().not.toExtend<MessageId>()
  // @ts-expect-error a string of one's own is no id that Varve gave
  const mine: MessageId = 'm1'
  await ada.replace(message.id, mine)
}

export async function forgetting(): Promise<void> {
  expectTypeOf(await ada.forget({ session: 'talk' })).toEqualTypeOf<Receipt>()
  expectTypeOf<Receipt['physical']>().toEqualTypeOf<'pending' | 'done'>()
  expectTypeOf(ada.forget).parameter(0).toEqualTypeOf<ForgetInput>()
  // @ts-expect-error to forget everything is said: `all: true`
  await ada.forget()
  // @ts-expect-error an option that does not exist would forget nothing, or too much
  await ada.forget({ user: 'ada' })
  // @ts-expect-error messages are a list
  await ada.forget({ messages: 'm1' })
}
