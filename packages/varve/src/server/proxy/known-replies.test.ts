import { expect, test } from 'vitest'
import { ErasureWatch } from '../erasure-watch.ts'
import { KnownReplies } from './known-replies.ts'
import type { Utterance } from '../../turns/said.ts'

test('sessions, and replies that are still made, go with an erasure in their project, and whose a reply is stays known', async () => {
  let place = 0
  const erasures = await ErasureWatch.start({
    erasedSince: async () => ({ place: (place += 1), ahead: [], projects: [{ project: 'pier', erasures: 1 }], isAll: false }),
  })
  const replies = new KnownReplies(erasures)
  replies.learn('resp_1', { project: 'pier', scope: 'pier ada', keyId: 'key_1' }, 'on her divorce')
  replies.learn('resp_2', { project: 'quay', scope: 'quay ada', keyId: 'key_2' }, 'on the ferry')
  expect([replies.sessionOf('resp_1'), replies.holds()]).toEqual(['on her divorce', true])
  const taken: unknown[] = []
  for (const id of ['resp_1', 'resp_2']) replies.expect(id, { bytes: 10, take: (reply) => taken.push([id, reply]) })
  await erasures.look()
  const late: Utterance = { role: 'assistant', parts: [] }
  for (const id of ['resp_1', 'resp_2']) replies.arrived(id, late)
  expect(taken).toEqual([['resp_2', late]])
  expect([replies.sessionOf('resp_1'), replies.sessionOf('resp_2'), replies.holds()]).toEqual([undefined, 'on the ferry', true])
  expect([replies.isOfAnother('resp_1', 'pier ada'), replies.isOfAnother('resp_1', 'pier bob')]).toEqual([false, true])
  expect([replies.isOfKey('resp_1', 'pier ada', 'key_1'), replies.isOfKey('resp_1', 'pier ada', 'key_2')]).toEqual([true, false])
  erasures.stop()
})
