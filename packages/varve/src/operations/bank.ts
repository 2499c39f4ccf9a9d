import { granularities } from '../bank/granularity.ts'
import { bankTokens } from '../bank/settings.ts'
import { versionOfSharing } from '../storage/bank/sharing.ts'
import { deedsKept } from '../storage/deeds/deeds.ts'
import { BudgetExceeded } from '../errors/budget-exceeded.ts'
import { partitionId } from '../scope/partition.ts'
import { memberOwner } from '../bank/member-label.ts'
import { checked, expectedVersion, flag, id, member, oneOf, page, refused, text, whole } from './fields.ts'
import { listOf } from './list.ts'
import type { PartitionMeans } from './means.ts'
import { operation } from './operation.ts'
import { recalled, recallTold, searchFields, unanswered } from './recalling.ts'
import { sharingNotice } from './sharing-notice.ts'
import { writtenLines } from './written-lines.ts'

const maxBullets = 8
const entry = () => id().describe('The id of an entry.')

function bulletsOf(received: unknown): string[] {
  const lines = writtenLines('text', received)
  if (lines.length > maxBullets) throw refused('text', `${lines.length} lines`, `at most ${maxBullets} lines`)
  return lines
}

const forgetting = () =>
  flag().default(false).describe('Erases the words at once, with what the history keeps of them: they cannot be restored.')

/** Refuses a pin for which there is no room. NotFound for an entry that is not there. */
async function checkPin(
  engine: PartitionMeans['engine'],
  partition: PartitionMeans['partition'],
  id: string,
  isWanted = true,
): Promise<void> {
  const { fits, tokens, maxTokens } = await engine.read('bank.pinFits', partition, id)
  if (isWanted && !fits) throw new BudgetExceeded({ what: 'the pinned entries', tokens, maxTokens })
}

export const bankOperations = {
  stats: operation({
    name: 'bank.stats',
    kind: 'read',
    route: 'GET /bank',
    about: 'Counts the entries, and tells how many are rendered under the project’s budget.',
    input: () => ({}),
    output: 'BankStats',
    errors: [],
    run: ({ engine, partition }) => engine.read('context.bankStats', partition),
  }),
  entries: operation({
    name: 'bank.entries',
    kind: 'read',
    route: 'GET /bank/entries',
    about: 'Lists entries, the finest first and the newest first in each granularity.',
    input: () => ({ granularity: oneOf(granularities).optional().describe('Only this granularity.'), ...page(1_000, 100_000) }),
    output: 'List<BankRecord>',
    errors: [],
    method: { details: 'A list of over 16 MiB of text ends early, with a `cursor`.' },
    run: async ({ engine, partition }, { granularity, ...request }) =>
      listOf(await engine.read('bank.entries', partition, granularity, request)),
  }),
  render: operation({
    name: 'bank.render',
    kind: 'read',
    route: 'GET /bank/rendered',
    about: 'Renders the bank for a prompt: recent talk finely, old talk coarsely. An empty bank gives the empty text. Calls no model.',
    input: () => ({
      maxTokens: whole(1, 100 * bankTokens.most)
        .optional()
        .describe('The most exact tokens. Default: the project’s `bank.maxTokens`.'),
    }),
    output: 'RenderedBank',
    errors: [],
    method: { placed: ['maxTokens'] },
    run: async ({ engine, partition, shown }, { maxTokens }) => {
      const { rendered, epochs } = await engine.read('context.bank', partition, maxTokens)
      shown.add(
        partition,
        epochs,
        rendered.entries.flatMap(({ id = [] }) => id).map((id, place) => ({ id, text: place === 0 ? rendered.text : '' })),
      )
      return rendered
    },
  }),
  search: operation({
    name: 'bank.search',
    kind: 'read',
    route: 'POST /bank/search',
    about:
      'Finds entries: hits of kind `bank`. On a shared bank it also finds, word for word, what persons and assistants said ' +
      'in the sessions that feed it: hits of kind `message`. The notice to members says so. It never finds a message that a ' +
      'member kept private. `members` says whose memory a shared hit is from.',
    input: () => searchFields(10),
    output: 'Recalled',
    errors: [],
    run: (means, input, call) =>
      recalled(means, { ...input, kinds: means.partition.owner.kind === 'shared' ? ['bank', 'message'] : ['bank'] }, call),
    failsOpen: unanswered('recall'),
    told: recallTold,
  }),
  pin: operation({
    name: 'bank.pin',
    kind: 'write',
    route: 'PUT /bank/entries/{id}/pinned',
    about: 'Pins an entry: it is rendered whole, and before all others. Pins take at most half of the budget.',
    expects: 'expectedVersion',
    input: () => ({
      id: entry(),
      pinned: flag().default(true).describe('False unpins the entry. Default true.'),
      expectedVersion: expectedVersion(),
    }),
    output: 'void',
    errors: ['BUDGET_EXCEEDED', 'NOT_FOUND', 'STALE_REVISION'],
    method: { placed: ['id', 'pinned'] },
    run: async ({ engine, partition }, { id, pinned, expectedVersion: expected }) => {
      await checkPin(engine, partition, id, pinned)
      await engine.write('bank.pin', partition, { id, expected }, pinned)
    },
  }),
  correct: operation({
    name: 'bank.correct',
    kind: 'write',
    route: 'PATCH /bank/entries/{id}',
    about:
      'Replaces an entry by a person’s bullets, a line each. A rewrite of the entry keeps them. They are erased when a ' +
      'message below it is forgotten. Digests above that nobody corrected are erased, pinned ones too; upkeep makes them ' +
      'again. `restore` brings the earlier bullets back.',
    expects: 'expectedVersion',
    input: () => ({
      id: entry(),
      text: checked<string[], string>({ type: 'string' }, bulletsOf).describe('At most 8 lines.'),
      expectedVersion: expectedVersion(),
    }),
    output: 'void',
    errors: ['BUDGET_EXCEEDED', 'NOT_FOUND', 'STALE_REVISION'],
    method: { details: 'BudgetExceeded when a pinned entry would no longer fit.' },
    run: async ({ engine, partition, hint }, { id, text, expectedVersion: expected }) => {
      const pins = await engine.read('bank.correctionFits', partition, id, text)
      if (pins?.fits === false) throw new BudgetExceeded({ what: 'the pinned entries', tokens: pins.tokens, maxTokens: pins.maxTokens })
      await engine.write('bank.correct', partition, { id, expected }, text)
      hint()
    },
  }),
  delete: operation({
    name: 'bank.delete',
    kind: 'write',
    route: 'DELETE /bank/entries/{id}',
    about:
      'Takes out an entry and all entries below it. Upkeep does not bring them back. The messages stay. For 30 days ' +
      '`restore` brings them back by the id of the receipt.',
    expects: 'expectedVersion',
    input: () => ({ id: entry(), forget: forgetting(), expectedVersion: expectedVersion() }),
    output: 'Receipt',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    method: { placed: ['id'] },
    run: async ({ engine, partition, finishErasure }, { id, forget, expectedVersion: expected }) =>
      finishErasure((await engine.write('bank.delete', partition, { id, expected }, forget)).receipt),
  }),
  clear: operation({
    name: 'bank.clear',
    kind: 'write',
    route: 'DELETE /bank',
    about:
      'Takes out all entries made so far. Upkeep does not bring them back. The messages stay. For 30 days `restore` brings ' +
      'them back by the id of the receipt.',
    input: () => ({ forget: forgetting() }),
    output: 'Receipt',
    errors: [],
    run: async ({ engine, partition, finishErasure }, { forget }) =>
      finishErasure((await engine.write('bank.clear', partition, forget)).receipt),
  }),
  history: operation({
    name: 'bank.history',
    kind: 'read',
    route: 'GET /bank/history',
    about:
      'Lists the changes that people made to the bank by hand, the newest first: pins, corrections, deletions. With an id, ' +
      'those of one entry. Each tells who made it and when, and the entries as they were before. They are kept for 30 days.',
    input: () => ({ entry: entry().optional().describe('Only the changes of this entry.'), ...page(100, deedsKept) }),
    output: 'List<BankChangeRecord>',
    errors: [],
    method: { placed: ['entry'] },
    run: async ({ engine, partition }, { entry: id, ...request }) => listOf(await engine.read('bank.history', partition, id, request)),
  }),
  restore: operation({
    name: 'bank.restore',
    kind: 'write',
    route: 'POST /bank/history/{id}/restore',
    about:
      'Takes a change back, by its id in the history: the entry is as it was before, or the deleted entries stand again. A ' +
      'second call changes nothing. What was forgotten since does not come back.',
    expects: 'expectedVersion',
    input: () => ({
      id: id().describe('The id of a change, or of the receipt of a deletion.'),
      expectedVersion: expectedVersion().describe(
        'Only if the changed entry has this `version`; none for one that was deleted. Default: any.',
      ),
    }),
    output: 'BankChangeRecord',
    errors: ['BUDGET_EXCEEDED', 'NOT_FOUND', 'STALE_REVISION'],
    method: {
      details:
        'InvalidOption when the change is older than 30 days, when its earlier words were forgotten, or when upkeep has read ' +
        'the messages again since. BudgetExceeded when a pin would no longer fit.',
    },
    run: async ({ engine, partition, hint }, { id, expectedVersion: expected }) => {
      const { act, entry } = await engine.read('bank.deed', partition, id)
      if (act === 'unpin' && entry !== undefined) await checkPin(engine, partition, entry)
      const change = await engine.write('bank.restore', partition, { id, expected })
      hint()
      return change
    },
  }),
  rebuild: operation({
    name: 'bank.rebuild',
    kind: 'write',
    route: 'POST /bank/rebuild',
    about:
      'Has upkeep read every session again, deleted and cleared entries included. Gives the number of sessions. ' +
      'Needed after a change of the project’s time zone.',
    input: () => ({}),
    output: '{ sessions: number }',
    errors: [],
    run: async ({ engine, partition }) => ({ sessions: await engine.write('bank.rebuild', partition) }),
  }),
}

/** The longest name of who made a choice, in UTF-16 code units. */
const longestBy = 256

const sharingFields = () => ({
  on: flag().describe('Whether sessions that begin from now on feed the shared bank. False withdraws all that was shared.'),
  acknowledge: flag().default(false).describe('Says that members were told the notice. Needed for `backfill`.'),
  backfill: flag().default(false).describe('Whether sessions that began before feed it too.'),
  assistants: flag()
    .optional()
    .describe(
      'Whether what members’ assistants answer from now on is taken too, marked as theirs. Off at first; true needs `acknowledge`. ' +
        'False withdraws all entries, and upkeep makes them again without answers.',
    ),
  by: text().optional().describe('Who makes this choice of `assistants`: shown in the report. At most 256 characters.'),
  expectedVersion: expectedVersion(),
})

/** The operations of a project’s bank, beside those of every bank. */
export const sharingOperations = {
  withdraw: operation({
    name: 'bank.withdraw',
    kind: 'write',
    route: 'POST /bank/withdraw',
    about:
      'Erases the entries that rest on one member’s words, with the digests that may tell of them. Upkeep does not bring ' +
      'them back; their messages stay. Talk that was not read yet comes in when it is read, unless the member’s settings ' +
      'have `share: false`.',
    input: () => ({ member: member().describe('The user; `~` is the anonymous user.') }),
    output: 'Receipt',
    errors: [],
    run: async ({ engine, partition, who, finishErasure }, { member: user }) =>
      finishErasure((await engine.write('bank.withdraw', partition, partitionId(who.project, memberOwner(user)))).receipt),
  }),
  sharing: operation({
    name: 'bank.sharing',
    kind: 'read',
    route: 'GET /bank/sharing',
    about: 'Tells whether the project’s bank is shared, and since when.',
    input: () => ({}),
    output: 'Sharing',
    errors: [],
    run: async ({ engine, who }: PartitionMeans) => {
      const state = await engine.read('projects.sharing', who.project)
      return { ...state, notice: sharingNotice(state.assistants !== undefined), version: versionOfSharing(state) }
    },
  }),
  setSharing: operation({
    name: 'bank.setSharing',
    kind: 'write',
    route: 'PUT /bank/sharing',
    about:
      'Switches sharing on or off. It is off at first. On: sessions that begin from now on feed the bank. Off: all ' +
      'that was shared is withdrawn. Members must know the notice.',
    expects: 'expectedVersion',
    input: sharingFields,
    output: 'Sharing',
    errors: ['STALE_REVISION'],
    method: { options: 'SharingOptions' },
    run: async ({ engine, who, finishErasure }, { on, acknowledge, expectedVersion: expected, ...change }) => {
      const told = `used with acknowledge: true, once members were told: ${sharingNotice(change.assistants === true)}`
      if (change.backfill && !acknowledge) throw refused('backfill', change.backfill, told)
      if (change.assistants === true && !acknowledge) throw refused('assistants', true, told)
      if ((change.by?.length ?? 0) > longestBy) throw refused('by', change.by, `of at most ${longestBy} characters`)
      const { sharing, receipt } = await engine.write('projects.setSharing', who.project, expected, { on, ...change })
      return {
        ...sharing,
        notice: sharingNotice(sharing.assistants !== undefined),
        version: versionOfSharing(sharing),
        ...(receipt === undefined ? {} : { receipt: await finishErasure(receipt) }),
      }
    },
  }),
}
