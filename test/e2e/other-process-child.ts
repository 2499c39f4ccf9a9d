import Database from 'better-sqlite3'
import { openMemory } from '../../packages/varve/src/index.ts'
import { varveStore } from '../../packages/varve/src/integrations/langgraph/index.ts'
import type { Answer, Order } from './other-process.ts'

// Another process that has a store open and does what it is told; started by other-process.ts only.
const store = process.argv[2] ?? ''
const memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent' })
let reader: Database.Database | undefined

async function obey(order: Order): Promise<unknown> {
  const { user = 'ada', project = 'default' } = order
  const handle = memory.for({ project, user })
  if (order.do === 'append') return handle.append(order.session, order.messages)
  if (order.do === 'recall') return handle.recall(order.query)
  if (order.do === 'context') return handle.context({ session: order.session, query: order.query })
  if (order.do === 'forget') return handle.forget(order.what)
  if (order.do === 'replace') return handle.replace(order.id, order.content)
  if (order.do === 'call') return called(handle, order.path, order.args)
  if (order.do === 'store') return called(varveStore({ memory, scope: { project, user } }), [order.name], order.args)
  if (order.do === 'upkeep') return memory.upkeep.run()
  if (order.do === 'close') return memory.close()
  if (order.do === 'pin') {
    reader = new Database(store, { readonly: true })
    reader.exec('BEGIN')
    return reader.prepare('SELECT count(*) FROM message').pluck().get()
  }
  return reader?.close()
}

function called(handle: object, path: readonly string[], args: readonly unknown[]): unknown {
  const [name = '', ...rest] = path
  const member: unknown = Reflect.get(handle, name)
  if (typeof member === 'function') return Reflect.apply(member, handle, args)
  if (typeof member !== 'object' || member === null) throw new TypeError(`no ${name}`)
  return called(member, rest, args)
}

process.on('message', (order: Order) => {
  void obey(order).then(
    (answer) => send({ answer: answer ?? null }),
    (error: unknown) => send({ error: String(error) }),
  )
})
send({ answer: 'ready' })

function send(answer: Answer): void {
  process.send?.(answer)
}
