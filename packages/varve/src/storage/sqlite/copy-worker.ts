import { type MessagePort, parentPort } from 'node:worker_threads'
import { Cancelled } from '../../errors/cancelled.ts'
import { toWire, type WireError } from '../../errors/wire.ts'
import type { StoreCopy } from '../store-engine.ts'
import { classify } from './classify.ts'
import { type CopyRequest, makeCopy } from './make-copy.ts'

export type CopyAnswer = { readonly copy: StoreCopy } | { readonly error: WireError }

/** Makes one copy. The first message asks for it, and a second one stops it. */
function serve(port: MessagePort): void {
  port.once('message', (request: CopyRequest) => {
    let isStopped = false
    port.once('message', () => (isStopped = true))
    const goOn = (): void => {
      if (isStopped) throw new Cancelled({ operation: 'backup' })
    }
    const answer = (answered: CopyAnswer): void => {
      port.postMessage(answered)
      port.close()
    }
    makeCopy(request, goOn).then(
      (copy) => answer({ copy }),
      (error: unknown) => answer({ error: toWire(classify(error, request.to, 'backup')) }),
    )
  })
}

// Only copy-store.ts starts this file.
if (parentPort !== null) serve(parentPort)
