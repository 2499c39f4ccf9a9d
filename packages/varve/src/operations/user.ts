import * as z from 'zod'
import { checkText, maxContentBytes } from '../messages/validate.ts'
import { appendOperation } from './append.ts'
import { userChangesOperation } from './changes.ts'
import { compactOperation } from './compact.ts'
import { contextOperation } from './context.ts'
import { checked, expectedVersion, flag, moment, oneOf, page, refused, session, text, until, whole } from './fields.ts'
import { byOwnIds, selection } from './forget-selection.ts'
import { erased, forgotten } from './forgetting.ts'
import { listOf } from './list.ts'
import { idsOf, messageReference } from './message-references.ts'
import { operation } from './operation.ts'
import { expectedPlace, longestPlace } from '../recall/follow.ts'
import { checkStands } from '../storage/versions.ts'
import { confirmForgetOperation, showForgetOperation } from './shown-forget.ts'
import { exportOperation, importOperation } from './transfer.ts'
import { kindsField, minConfidenceField, recalled, recallTold, searchFields, unanswered } from './recalling.ts'

const ofSession = () => session().describe('The session.')

const content = () =>
  checked<string>({ type: 'string' }, (received) => {
    checkText('content', received, maxContentBytes, (field, reason) => {
      throw refused(field, received, `text, but it ${reason}`)
    })
    return received
  }).describe('The new words.')

const asFollowPlace = { error: expectedPlace }

/** Operations of a user's handle itself. */
export const userOperations = {
  append: appendOperation,
  replace: operation({
    name: 'replace',
    kind: 'write',
    route: 'POST /messages/replace',
    about: 'Replaces the words of a message; its id and seq stay. The old words are erased like forgotten ones.',
    input: () => ({
      id: messageReference().describe('The id of the message: Varve’s, or the host’s own.'),
      content: content(),
      expectedContent: text().optional().describe('Only if these are its words until now. Default: any.'),
    }),
    output: '{ message: Message; receipt: Receipt }',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async (means, { id: reference, content, expectedContent: expected }) => {
      const [id = ''] = await idsOf(means, [reference], { option: 'id' })
      const { message, receipt } = await erased(means, () =>
        means.engine.write('privacy.replace', means.partition, { id, expected }, content),
      )
      means.observer.count('replaced')
      means.hint()
      means.observer.emit({ type: 'replaced', ...means.who, message: message.id })
      return { message, receipt: await means.finishErasure(receipt) }
    },
  }),
  messages: operation({
    name: 'messages',
    kind: 'read',
    route: 'GET /sessions/{session}/messages',
    about: 'Reads a session’s newest messages, oldest first. A page of over 16 MiB of text ends early; its `before` begins the next.',
    input: () => ({
      session: ofSession(),
      limit: whole(1, 10_000).default(50).describe('The most messages. Default 50.'),
      before: whole(1).optional().describe('Only messages with a smaller seq: to page back.'),
      tools: flag().default(true).describe('False leaves out tool messages, and those that are only calls or results. Default true.'),
    }),
    output: 'MessageList',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition }, { session, limit, before, tools }) => {
      const request = { limit, tools, ...(before === undefined ? {} : { before }) }
      const page = await engine.read('log.messages', partition, session, request)
      return page.before === undefined ? page.messages : Object.assign([...page.messages], { before: page.before })
    },
  }),
  timeline: operation({
    name: 'timeline',
    kind: 'read',
    route: 'GET /timeline',
    about: 'Lists messages by the time at which they were said, over all sessions: the newest first.',
    input: () => ({
      ...page(50, 10_000),
      from: moment().optional().describe('Said at this time or later.'),
      to: until().optional().describe('Said at this time or earlier; a bare day means its end.'),
      order: oneOf(['newest', 'oldest']).default('newest').describe('The end at which the list begins. Default: newest.'),
    }),
    output: 'List<Message>',
    errors: [],
    method: {
      details: 'Equal times are in the order of storing. A list of over 16 MiB of text ends early, with a `cursor`.',
      example: "for await (const { at, content } of ada.timeline({ from: '2026-04-01' })) console.log(at, content)",
    },
    run: async ({ engine, partition }, { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, ...request }) =>
      listOf(await engine.read('recall.timeline', partition, { from, to, ...request })),
  }),
  follow: operation({
    name: 'follow',
    kind: 'read',
    route: 'GET /follow',
    about:
      'Reads the messages that any process stored after a place, in the order of storing, and gives the next place. Without `after` ' +
      'it reads none, and gives the place of now.',
    input: () => ({
      limit: whole(1, 10_000).default(100).describe('The most messages. Default 100.'),
      after: z.string(asFollowPlace).max(longestPlace, asFollowPlace).optional().describe('The `place` of the call before.'),
    }),
    output: 'Followed',
    errors: [],
    method: { details: 'A replaced message comes again, with its id. Messages of over 16 MiB of text come in several calls.' },
    run: ({ engine, partition }, request) => engine.read('recall.follow', partition, request),
  }),
  changes: userChangesOperation,
  recall: operation({
    name: 'recall',
    kind: 'read',
    route: 'POST /recall',
    about:
      'Finds messages by their words and their meaning, and with `kinds` the layers made of them. A blank question with `from` or ' +
      '`to` finds the newest messages of that time.',
    input: () => ({ ...searchFields(10), kinds: kindsField(), minConfidence: minConfidenceField() }),
    output: 'Recalled',
    errors: [],
    method: {
      details: 'Fails open: when the store does not answer in time, there are no hits, and `degraded` says so.',
      options: 'RecallOptions',
    },
    run: recalled,
    failsOpen: unanswered('recall'),
    told: recallTold,
  }),
  context: contextOperation,
  compact: compactOperation,
  distil: operation({
    name: 'distil',
    kind: 'write',
    route: 'POST /sessions/{session}/distil',
    about: 'Reads a session now, due or not, for the layers that are switched on. With no layer on it does nothing.',
    input: () => ({ session: ofSession() }),
    output: 'void',
    errors: ['NOT_FOUND'],
    run: ({ engine, partition, layers, distil }, { session }, { signal }) =>
      distil(() => engine.read('upkeep.dueSession', partition, session, layers), signal),
  }),
  profile: operation({
    name: 'profile',
    kind: 'read',
    route: 'GET /profile',
    about: 'Sums up a user: counts, recent sessions, the facts that hold now by subject, and what each person said, with their sources.',
    input: () => ({}),
    output: 'Profile',
    errors: [],
    run: ({ engine, partition }) => engine.read('privacy.profile', partition),
  }),
  export: exportOperation,
  import: importOperation,
  previewForget: operation({
    name: 'previewForget',
    kind: 'read',
    route: 'POST /forget/preview',
    about: 'Counts the items that `forget` would erase, by kind. Erases nothing.',
    input: () => ({ what: selection() }),
    output: 'Readonly<Record<string, number>>',
    errors: ['NOT_FOUND'],
    run: async (means, { what }) => {
      await means.shown.underWay(means.partition)
      return means.engine.read('privacy.preview', means.partition, await byOwnIds(means, what))
    },
  }),
  forget: operation({
    name: 'forget',
    kind: 'write',
    route: 'POST /forget',
    about:
      'Erases messages and everything that rests on them. When it returns, no answer has the words. `physical: done` says ' +
      'that they are gone from the files’ bytes too; `pending` says that upkeep will finish this. A large erasure takes ' +
      'several transactions, with other calls between.',
    input: () => ({ what: selection() }),
    output: 'Receipt',
    errors: ['NOT_FOUND'],
    method: {
      details:
        'When one fails, some messages may be gone; `receipts.list()` says how many. The same call erases the rest; in ' +
        '`messages`, name only the remaining ones.',
    },
    run: async (means, { what }) => forgotten(means, await byOwnIds(means, what)),
  }),
  showForget: showForgetOperation,
  confirmForget: confirmForgetOperation,
}

/** A user's settings. */
export const userSettingsOperations = {
  get: operation({
    name: 'settings.get',
    kind: 'read',
    route: 'GET /settings',
    about: 'Reads the user’s settings.',
    input: () => ({}),
    output: 'UserSettings & Versioned',
    errors: [],
    run: ({ engine, partition }) => engine.read('projects.userSettings', partition),
  }),
  set: operation({
    name: 'settings.set',
    kind: 'write',
    route: 'PATCH /settings',
    about: 'Changes the user’s settings. With `share: false`, bullets of the user’s sessions are withdrawn from the project.',
    input: () => ({
      share: flag().optional().describe('Whether sessions feed the shared bank of the project, unless they say otherwise.'),
      expectedVersion: expectedVersion(),
    }),
    expects: 'expectedVersion',
    output: 'UserSettings & Versioned & Withdrawn',
    errors: ['STALE_REVISION'],
    method: { whole: { name: 'changes', type: 'UserSettingsChanges' } },
    run: async ({ engine, partition, finishErasure }, { share, expectedVersion: expected }) => {
      const { receipt } = share === undefined ? {} : await engine.write('projects.shareByDefault', partition, expected, share)
      const settings = await engine.read('projects.userSettings', partition)
      if (share === undefined) checkStands('settings of the user', expected, settings.version)
      return { ...settings, ...(receipt === undefined ? {} : { receipt: await finishErasure(receipt) }) }
    },
  }),
}
