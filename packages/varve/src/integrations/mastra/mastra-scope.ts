import { nameOfHostId } from '../../turns/host-names.ts'
import type { MastraMessageList, MastraRequestContext } from './mastra-shapes.ts'

/** What a run belongs to, by Mastra's own names. */
export interface MastraRun {
  readonly resourceId?: string
  readonly threadId?: string
  readonly requestContext?: MastraRequestContext
}

/** Whose memory a run uses, and in which session. */
export interface MastraScope {
  /** Default: `default`. */
  readonly project?: string
  readonly user: string
  readonly session: string
}

/** Mastra's resource is the user, its thread the session. A run without both has no memory: one shared by all would mix people. */
export function usualScope({ resourceId, threadId }: MastraRun): MastraScope | undefined {
  if (resourceId === undefined || threadId === undefined) return undefined
  return { user: nameOfHostId('user', resourceId), session: nameOfHostId('session', threadId) }
}

/** Reads what a run belongs to. Mastra has settled it: what a server put into the request's context wins over what a call says. */
export function runOf(messageList: MastraMessageList, requestContext: MastraRequestContext | undefined): MastraRun {
  const { memoryInfo } = messageList.serialize()
  return { ...memoryInfo, ...(requestContext === undefined ? {} : { requestContext }) }
}
