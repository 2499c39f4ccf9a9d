import { expect, test } from 'vitest'
import { ErasureWatch } from '../erasure-watch.ts'
import { KnownReplies } from './known-replies.ts'

test('the names of sessions go with an erasure in their project, and whose a reply is stays known', async () => {
  let place = 0
  const erasures = await ErasureWatch.start({
    erasedSince: async () => ({ place: (place += 1), projects: [{ project: 'pier', erasures: 1 }], isAll: false }),
  })
  const replies = new KnownReplies(erasures)
  replies.learn('resp_1', { project: 'pier', scope: 'pier ada' }, 'on her divorce')
  replies.learn('resp_2', { project: 'quay', scope: 'quay ada' }, 'on the ferry')
  expect([replies.sessionOf('resp_1'), replies.holds()]).toEqual(['on her divorce', true])
  await erasures.look()
  expect([replies.sessionOf('resp_1'), replies.sessionOf('resp_2'), replies.holds()]).toEqual([undefined, 'on the ferry', true])
  expect([replies.isOfAnother('resp_1', 'pier ada'), replies.isOfAnother('resp_1', 'pier bob')]).toEqual([false, true])
  erasures.stop()
})
