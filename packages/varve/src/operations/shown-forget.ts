import * as z from 'zod'
import { blockName } from '../blocks/validate.ts'
import { documentName } from '../documents/validate.ts'
import { NotFound } from '../errors/not-found.ts'
import type { ForgetLine, ForgetShown } from '../privacy/forget-lines.ts'
import { beginning, type ForgetPreview, mostLines } from '../privacy/shown-forget.ts'
import type { SessionName } from '../scope/partition.ts'
import { confirmToken, isConfirmed } from '../signing/confirm-token.ts'
import type { StoreSigningKey } from '../signing/keys.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import { refused, session, textChecked } from './fields.ts'
import { byOwnIds, selection } from './forget-selection.ts'
import { forgotten } from './forgetting.ts'
import type { PartitionMeans } from './means.ts'
import { operation } from './operation.ts'

/** The life of a token: a person needs some time to answer. */
const tokenMs = 10 * 60_000

const target = () => ({
  what: selection().optional(),
  document: textChecked((received) => documentName(received))
    .optional()
    .describe('A document of the user, in place of messages.'),
  block: textChecked((received) => blockName(received))
    .optional()
    .describe('A block of the user, in place of messages.'),
  session: session().optional().describe('With `block`: a block of this session.'),
})

type Selection = z.output<ReturnType<typeof selection>>

interface Target {
  readonly what?: Selection | undefined
  readonly document?: string | undefined
  readonly block?: string | undefined
  readonly session?: SessionName | undefined
}

/** A thing that would go, and the way to erase it exactly as it was shown. */
interface Matter extends ForgetPreview {
  erase(): Promise<Receipt>
}

export const showForgetOperation = operation({
  name: 'showForget',
  kind: 'read',
  route: 'POST /forget/show',
  about:
    'Shows what a forget would erase: counts and some lines, for a person who then says yes. Gives a token by which `confirmForget` ' +
    'erases exactly this, within ten minutes. Erases nothing.',
  input: target,
  output: 'ForgetShown',
  errors: ['NOT_FOUND'],
  run: async (means, input): Promise<ForgetShown> => {
    const { counts, lines, more, state } = await matterOf(means, input)
    const until = means.clock.now() + tokenMs
    return { counts, lines, more, token: confirmToken(await keyOf(means), { of: means.partition, state }, until), until }
  },
})

export const confirmForgetOperation = operation({
  name: 'confirmForget',
  kind: 'write',
  route: 'POST /forget/confirm',
  about:
    'Erases what `showForget` showed, as `forget` does. InvalidOption for `token` when it changed since, when the token is over, or ' +
    'when it was given for something else: nothing is erased then. A message that comes while it runs stays, except with `all`.',
  input: () => ({ ...target(), token: z.string({ error: 'a token' }).max(200).describe('The token of `showForget`.') }),
  output: 'Receipt',
  errors: ['NOT_FOUND', 'STALE_REVISION'],
  run: async (means, { token, ...input }) => {
    const { state, erase } = await matterOf(means, input)
    if (!isConfirmed(await keyOf(means), { of: means.partition, state }, token, means.clock.now()))
      throw refused('token', token, 'the token that showForget gave for exactly this, less than ten minutes ago: show it again')
    return erase()
  },
})

function keyOf({ engine }: PartitionMeans): Promise<StoreSigningKey> {
  return engine.read('privacy.signingKey', 'forget')
}

async function matterOf(means: PartitionMeans, { what, document, block, session }: Target): Promise<Matter> {
  if (session !== undefined && block === undefined) throw refused('session', session, 'left out without block; what.session names talk')
  const given = [what, document, block].filter((one) => one !== undefined)
  if (given.length === 1) {
    if (what !== undefined) return messagesMatter(means, what)
    if (document !== undefined) return documentMatter(means, document)
    if (block !== undefined) return blockMatter(means, block, session)
  }
  throw refused('what', given, 'exactly one of what, document and block')
}

async function messagesMatter(means: PartitionMeans, what: Selection): Promise<Matter> {
  await means.shown.underWay(means.partition)
  const chosen = await byOwnIds(means, what)
  const { counts, lines, more, state } = await means.engine.read('privacy.forgetPreview', means.partition, chosen)
  return { counts, lines, more, state: `messages ${JSON.stringify(chosen)} ${state}`, erase: () => forgotten(means, chosen, state) }
}

async function documentMatter(means: PartitionMeans, name: string): Promise<Matter> {
  const { engine, partition } = means
  const { found } = await engine.read('documents.read', partition, name, undefined)
  if (found === undefined || isProjects(means, found)) throw new NotFound({ kind: 'document', id: name })
  return {
    ...{ counts: { document: 1 }, ...linesOf(found.content), state: `document ${found.id} ${found.revision}` },
    erase: async () => means.finishErasure((await engine.write('documents.delete', partition, { name, expected: found.revision })).receipt),
  }
}

async function blockMatter(means: PartitionMeans, name: string, session: SessionName | undefined): Promise<Matter> {
  const { engine, partition } = means
  const found = await engine.read('blocks.get', partition, name, session)
  if (found === undefined || isProjects(means, found)) throw new NotFound({ kind: 'block', id: name })
  return {
    ...{ counts: { block: 1 }, ...linesOf(found.text), state: `block ${found.id} ${found.revision}` },
    erase: async () =>
      means.finishErasure((await engine.write('blocks.delete', partition, { name, session, expected: found.revision })).receipt),
  }
}

/** A member's handle reads what the project shares, and erases none of it. */
function isProjects({ partition }: PartitionMeans, { shared }: { readonly shared?: true }): boolean {
  return shared === true && partition.owner.kind !== 'shared'
}

function linesOf(text: string): Pick<ForgetPreview, 'lines' | 'more'> {
  const all = text.split('\n').filter((line) => line.trim() !== '')
  const lines: readonly ForgetLine[] = all.slice(0, mostLines).map((line) => ({ text: beginning(line) }))
  return { lines, more: all.length > lines.length ? { line: all.length - lines.length } : {} }
}
