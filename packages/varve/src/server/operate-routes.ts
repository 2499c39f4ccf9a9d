import type { Context, Hono } from 'hono'
import type { Memory } from '../memory/memory.ts'
import type { ServerEnv } from './app.ts'
import type { Metrics } from './metrics.ts'
import { type Readiness, readinessOf } from './readiness.ts'

export interface OperateMeans {
  readonly memory: Memory
  readonly metrics: Metrics
  isClosing(): boolean
  /** False once the store's file was moved or replaced. */
  isInPlace(): boolean
  /** Rejects where the caller may not see how the whole store does. */
  admitOperator(context: Context<ServerEnv>): Promise<void>
}

/** The time that a readiness serves: anybody may ask, and each answer reads the store. */
const lastsMs = 1_000

/** Adds the routes for those who run the server: whether it lives, whether it can answer, and how it does. */
export function addOperateRoutes(app: Hono<ServerEnv>, means: OperateMeans): void {
  const { memory, metrics, isClosing } = means
  let last: { readonly at: number; readonly readiness: Promise<Readiness> } | undefined
  app.get('/healthz', (context) => named(context).json({ ok: true }))
  app.get('/readyz', async (context) => {
    if (last === undefined || performance.now() - last.at > lastsMs)
      last = { at: performance.now(), readiness: readinessOf(memory, means.isInPlace) }
    const { ready, checks } = await last.readiness
    const isReady = ready && !isClosing()
    return named(context).json({ ready: isReady, checks }, isReady ? 200 : 503)
  })
  app.get('/metrics', async (context) => {
    await means.admitOperator(named(context))
    const { type, text } = await metrics.text()
    return context.body(text, 200, { 'content-type': type })
  })
}

/** Gives the request the name of its route, for logs and metrics. */
function named(context: Context<ServerEnv>): Context<ServerEnv> {
  context.set('route', context.req.routePath)
  return context
}
