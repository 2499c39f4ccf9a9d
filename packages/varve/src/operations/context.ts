import { messageWithoutPlace } from '../errors/without-place.ts'
import { contextRequest } from '../context/request.ts'
import { type BudgetedTier, renderedTiers, perTier, tiers as knownTiers } from '../context/tiers.ts'
import type { Context } from '../context/context.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { noSessionName } from '../storage/log/contexts.ts'
import { between, moment, onlySession, record, refused, text, typed, whole } from './fields.ts'
import { recallRequest } from '../recall/request.ts'
import { operation } from './operation.ts'
import { minConfidenceField, withDegraded } from './recalling.ts'

/** The longest wait of a context until its items are noted. */
const longestNotingMs = 250

/** Waits for some work, at most `ms` milliseconds. The work goes on. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}

const tier = (name: BudgetedTier) =>
  typed(
    'TierOptions',
    record({
      share: between(0, 1).optional().describe('Its share of the budget, weighed against the others.'),
      limit: whole(0, knownTiers[name].most)
        .optional()
        .describe('The most items of the tier; 0 leaves it out. For the bank: the most tokens.'),
    }),
  ).optional()

const usualTiers = renderedTiers.map((name) => `${name} { share: ${knownTiers[name].share}, limit: ${knownTiers[name].limit} }`).join(', ')

const tiers = () => record(perTier(tier))

export const contextOperation = operation({
  name: 'context',
  kind: 'read',
  route: 'POST /context',
  about: 'Assembles the text that the model will read: recent turns, then the items that matter most, never over `maxTokens`.',
  input: () => ({
    query: text().describe('The new message, or the question.'),
    session: onlySession().optional().describe('The running session: its newest turns are shown, and shown items are noted.'),
    excludeSession: onlySession()
      .optional()
      .describe(
        'A session that is left out, such as the running one of a host that keeps its own history: its messages, its notes, its gist ' +
          'and its entries in the bank. What is known of the user stays: facts, instructions, documents, blocks. Without `session`, ' +
          'shown items are noted for it.',
      ),
    excludeSessionSince: moment()
      .optional()
      .describe(
        'Of `excludeSession`, only the messages said at this time or later are left out: the earlier ones left the model’s window, by a ' +
          'compaction. Its notes, its gist and its entries in the bank stay left out.',
      ),
    maxTokens: whole(1, 1_000_000).default(4_000).describe('The most exact tokens (o200k_base), headings included. Default 4,000.'),
    persona: text().optional().describe('The agent’s own text, put first and outside the fence.'),
    tiers: tiers().optional().describe(`Shares and limits by tier. Default: ${usualTiers}.`),
    minConfidence: minConfidenceField(),
  }),
  output: 'Context',
  errors: [],
  method: { details: 'Fails open as recall does.', placed: [], options: 'ContextOptions' },
  run: async (means, { query, session, excludeSession, excludeSessionSince, maxTokens, persona, tiers: given, minConfidence }, call) => {
    if (excludeSessionSince !== undefined && excludeSession === undefined)
      throw refused('excludeSessionSince', excludeSessionSince, 'a time in `excludeSession`: name that session too')
    const { engine, clock, questions, partition, shown, estimatesTokens: estimated } = means
    const now = clock.now()
    const search = recallRequest({ query, minConfidence, excludeSession, excludeSince: excludeSessionSince }, now)
    const request = contextRequest(uuidv7(now), { session, maxTokens, persona, estimated, tiers: given, search })
    const { vector, degraded } = await questions.of(partition, query, call.deadlineMs)
    const assembled = await engine.read('context.assemble', partition, request, vector)
    const running = session ?? excludeSession ?? noSessionName
    if (assembled.record.messages.length > 0) {
      const noted = shown.context(partition, running, assembled.record)
      // Without a session only the next append to the partition waits for it, and whoever reads past contexts.
      if (running !== noSessionName) await atMost(longestNotingMs, noted)
    }
    return withDegraded(assembled.context, degraded)
  },
  failsOpen: (error, _input, { clock }): Context => ({
    id: uuidv7(clock.now()),
    text: '',
    tokens: 0,
    sections: [],
    omitted: [],
    degraded: [`context failed: ${messageWithoutPlace(error)}`],
  }),
  told: ({ observer, who }, _input, { id, tokens }, ms) => {
    observer.count('contexts')
    observer.emit({ type: 'context', ...who, id, tokens, ms })
  },
})
