import { expect, test } from 'vitest'
import { groupsOf } from './groups.ts'
import { readTurn } from './read-turn.ts'

const user = { role: 'user', content: 'Go on.' }
const said = { role: 'assistant', content: 'Done.' }
const calls = (...ids: string[]): object => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} })),
})
const results = (...ids: string[]): object => ({
  role: 'tool',
  content: ids.map((id) => ({ type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: 'ok' } })),
})

function groups(...messages: object[]): number[][] {
  return groupsOf(messages.map(readTurn)).map(({ from, to }) => [from, to])
}

test('messages without tools stand by themselves', () => {
  expect(groups(user, said, user)).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ])
})

test('a call stays with its result, parallel calls with all of theirs', () => {
  expect(groups(user, calls('a'), results('a'), calls('b', 'c'), results('c'), results('b'), said)).toEqual([
    [0, 0],
    [1, 2],
    [3, 5],
    [6, 6],
  ])
})

test('a result that comes later keeps all that was said in between', () => {
  expect(groups(calls('a'), user, said, results('a'), user)).toEqual([
    [0, 3],
    [4, 4],
  ])
  expect(groups(calls('a', 'b'), results('a'), user, calls('c'), results('b'), results('c'), user)).toEqual([
    [0, 5],
    [6, 6],
  ])
})

test('a result whose call is not in the list goes with what is before it', () => {
  expect(groups(user, results('gone'), user)).toEqual([
    [0, 1],
    [2, 2],
  ])
  expect(groups(results('gone'), user)).toEqual([
    [0, 0],
    [1, 1],
  ])
  expect(groups(said, { role: 'tool', content: 'no id' }, { role: 'tool', content: 'nor here' }, user)).toEqual([
    [0, 2],
    [3, 3],
  ])
})

test('an id that is used twice ties a result to the call nearest before it', () => {
  expect(groups(calls('a'), results('a'), user, calls('a'), results('a'))).toEqual([
    [0, 1],
    [2, 2],
    [3, 4],
  ])
})

test('a call that waits at the end keeps what came after it; one that was passed over does not', () => {
  expect(groups(user, calls('a', 'b'), results('a'), user)).toEqual([
    [0, 0],
    [1, 3],
  ])
  expect(groups(user, calls('a'), user, said, user)).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ])
})

test('an approval stays with what was asked, a thought of the Responses with what it led to', () => {
  const asked = { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }] }
  const approved = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true }] }
  expect(groups(asked, approved, user)).toEqual([
    [0, 1],
    [2, 2],
  ])
  const thought = { type: 'reasoning', id: 'rs_1', summary: [] }
  expect(
    groups(
      user,
      thought,
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'ok' },
      user,
    ),
  ).toEqual([
    [0, 0],
    [1, 3],
    [4, 4],
  ])
})

test('groups cover every message once, in order', () => {
  const messages = [user, calls('a', 'b'), results('b'), user, results('a'), said, results('x'), calls('c')]
  expect(groups(...messages).flatMap(([from = 0, to = 0]) => messages.map((_, place) => place).slice(from, to + 1))).toEqual(
    messages.map((_, place) => place),
  )
})
