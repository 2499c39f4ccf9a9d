import * as z from 'zod'
import { blockChars } from '../blocks/block.ts'
import { origins, roles } from '../messages/message.ts'
import { allLayers } from '../storage/layers.ts'
import { isShortAsJson, recordFields, recordLongest } from './fields.ts'

const { text, name, scopeName, key, writer, id, whole, place, time, moment, language, votes, flag, listOf, range, span, object } =
  recordFields

/** The version of the format. A reader refuses another one. */
export const exportVersion = 1

/** The format's name, in the header of each export. */
export const exportFormat = 'varve-export'

const layer = () => z.enum(allLayers)

const owner = () =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('user'), name: scopeName() }),
    z.strictObject({ kind: z.literal('anonymous') }),
    z.strictObject({ kind: z.literal('project') }),
  ])

const metadataChars = 16 * 1024
const partsChars = 4 * 1024 * 1024
const settingsChars = 256 * 1024

const header = () =>
  z.strictObject({
    kind: z.literal('header'),
    format: z.literal(exportFormat),
    version: z.literal(exportVersion),
    id: id().describe('The id of this export.'),
    store: text(recordLongest.short).describe('The id of the store that made it.'),
    project: scopeName(),
    owner: owner().describe('Whose memory it is. A project’s holds only what its members share.'),
    exportedAt: time(),
    schema: whole().describe('The schema version of that store.'),
    contents: listOf(text(recordLongest.short)).describe('The kinds of lines that may follow.'),
  })

const project = () =>
  z.strictObject({
    kind: z.literal('project'),
    settings: object(settingsChars),
    sharingSince: time().optional(),
    answers: z
      .strictObject({ since: time(), by: z.exactOptional(name()) })
      .optional()
      .describe('Since when assistants’ answers are shared too, and whose choice that was.'),
    createdAt: time(),
  })

const user = () => z.strictObject({ kind: z.literal('owner'), share: flag(), createdAt: time() })

const session = () =>
  z.strictObject({
    kind: z.literal('session'),
    id: scopeName().describe('The caller’s name of the session.'),
    name: text(recordLongest.key).optional(),
    share: z.enum(['private', 'shared', 'unsaid']),
    sharedFrom: place().optional().describe('The first place that feeds the shared bank, where its owner shares it by name.'),
    metadata: object(metadataChars).optional(),
    language: language(),
    votes: votes(),
    seq: whole().describe('The last place that was given out.'),
    layers: z.partialRecord(layer(), flag()).optional().describe('Layers that the session switches itself.'),
    createdAt: time(),
    recordedAt: time(),
    main: z.strictObject({ tokens: whole(), calls: whole(), pause: whole(1) }),
  })

const message = () =>
  z.strictObject({
    kind: z.literal('message'),
    id: id(),
    session: scopeName(),
    seq: place(),
    externalId: name().optional(),
    role: z.enum(roles),
    origin: z.enum(origins),
    name: name().optional(),
    thread: name().optional(),
    at: time().describe('Said at.'),
    recordedAt: time(),
    language: language().describe('The language in which it was analysed.'),
    recalled: listOf(range()).optional().describe('Ranges of the content that Varve had rendered.'),
    metadata: object(metadataChars).optional(),
    parts: z
      .array(z.unknown())
      .refine((received) => isShortAsJson(received, partsChars), { error: `at most ${partsChars} characters as JSON` })
      .optional(),
    content: text().min(1),
  })

const block = () =>
  z.strictObject({
    kind: z.literal('block'),
    id: id(),
    session: scopeName().optional(),
    name: scopeName(),
    place: place(),
    maxChars: whole(blockChars.most).min(blockChars.least),
    revision: place(),
    createdAt: time(),
    updatedAt: time(),
    content: text(blockChars.most),
  })

const blockRevision = () =>
  z.strictObject({
    kind: z.literal('block-revision'),
    block: id(),
    revision: place(),
    writer: writer(),
    at: time(),
    during: span().optional().describe('The messages that there were when an agent wrote it.'),
    content: text(blockChars.most),
  })

const page = () =>
  z.strictObject({
    kind: z.literal('page'),
    id: id(),
    type: z.enum(['document', 'notes']),
    session: scopeName().optional(),
    name: text(recordLongest.key),
    maxChars: whole(recordLongest.page),
    revision: place(),
    createdAt: time(),
    updatedAt: time(),
    noted: z.strictObject({ seq: whole(), tokens: whole(), calls: whole() }),
    rests: listOf(span()).describe('The messages on which its lines rest, in all revisions.'),
    description: text(recordLongest.key),
    content: text(recordLongest.page),
  })

const pageRevision = () =>
  z.strictObject({
    kind: z.literal('page-revision'),
    page: id(),
    revision: place(),
    writer: writer(),
    at: time(),
    readFrom: whole(),
    describedBy: whole(),
    description: text(recordLongest.key),
    spans: listOf(span()).describe('The messages on which its own lines rest.'),
    authors: listOf(z.tuple([place(), place()]))
      .refine((received) => received.reduce((sum, [, lines]) => sum + lines, 0) <= recordLongest.page, {
        error: 'as many lines as a page has',
      })
      .describe('[revision, lines]: who wrote the lines, in their order.'),
    content: text(recordLongest.page).optional().describe('Absent once the text was dropped.'),
  })

const pageFact = () =>
  z.strictObject({
    kind: z.literal('page-fact'),
    session: scopeName(),
    seq: place(),
    also: listOf(place()),
    subject: text(recordLongest.key),
    fact: text(),
    at: time(),
    writer: writer(),
    page: id().optional().describe('The document that holds it. Absent while it waits.'),
    deleted: z.literal(true).optional().describe('Its document was deleted by hand.'),
    revision: whole(),
  })

const part = () =>
  z.strictObject({
    kind: z.literal('part'),
    session: scopeName(),
    layer: layer(),
    from: place(),
    to: place(),
    messages: whole(),
    sitting: text(recordLongest.short),
    firstAt: time(),
    lastAt: time(),
    writer: writer(),
    provisional: flag(),
    at: time(),
    sources: listOf(listOf(place())),
    content: text().optional().describe('Absent when a person took it out.'),
  })

const item = () =>
  z.strictObject({
    kind: z.literal('item'),
    id: id(),
    type: z.enum(['gist', 'bank', 'message', 'block', 'document', 'notes']),
    session: scopeName().optional(),
    member: text(recordLongest.name).optional().describe('In a shared bank, the user whose session it is; empty for the anonymous user.'),
    title: text(recordLongest.key).optional().describe('In a shared bank, the title of that session.'),
    page: id().optional(),
    rung: whole(4),
    period: text(recordLongest.short),
    spans: listOf(range()),
    parts: listOf(place()).optional().describe('The first message of each part that it was made of.'),
    children: listOf(z.strictObject({ id: id(), stands: flag(), covered: flag(), messages: whole().optional() }))
      .optional()
      .describe('The entries that a digest was made of.'),
    sources: listOf(listOf(whole())).describe('For each line its places, or the numbers of its children from 0.'),
    corrected: flag().optional().describe('A digest whose words are a person’s, for the children with `messages`.'),
    handSeq: whole(),
    pinned: flag(),
    messages: whole(),
    conversations: whole(),
    firstAt: time(),
    lastAt: time(),
    recordedAt: time(),
    writer: writer(),
    provisional: flag(),
    language: language(),
    hand: text().optional(),
    content: text(),
  })

const fact = () =>
  z.strictObject({
    kind: z.literal('fact'),
    number: place().describe('Its number in this export.'),
    id: id().describe('The fact’s id: the same for all statements of it.'),
    says: z.enum(['is', 'ends', 'wrong']),
    subject: text(recordLongest.key),
    predicate: text(recordLongest.key),
    object: text(recordLongest.key),
    keys: z.strictObject({ subject: key(), predicate: key(), object: key(), instead: key().optional() }),
    validFrom: moment().optional(),
    validUntil: moment().optional(),
    at: time().describe('Said at.'),
    recordedAt: time(),
    withdrawnAt: time().optional(),
    confidence: z.number().min(0).max(1),
    single: flag(),
    phrase: text(recordLongest.key).optional(),
    when: z.tuple([moment().nullable(), moment().nullable()]).optional(),
    dependsOn: listOf(id()),
    writer: writer(),
    session: scopeName().optional(),
    ofOther: whole(3),
    notedIn: scopeName().optional().describe('The session in which an agent noted it: it goes with that session.'),
    passing: whole(2),
    compared: flag(),
    language: language(),
    sources: listOf(z.tuple([scopeName(), place(), whole(), whole()])).describe('[session, seq, from, to]'),
    ends: listOf(place()).optional().describe('Numbers of the earlier statements that it ends in other words.'),
    searched: z
      .strictObject({ words: listOf(z.tuple([text(recordLongest.short).min(1), place()])), length: whole(), traits: whole(255) })
      .optional()
      .describe('The words by which it is found, where its writer used others than it has.'),
  })

const mergedName = () => z.strictObject({ kind: z.literal('name'), name: key().min(1), entity: key().min(1) })

const instruction = () =>
  z.strictObject({
    kind: z.literal('instruction'),
    id: id(),
    session: scopeName().optional(),
    seq: whole(),
    starts: whole(),
    ends: whole(),
    at: time(),
    recordedAt: time(),
    editedAt: time().optional(),
    withdrawnAt: time().optional(),
    takesBack: flag(),
    compared: flag(),
    provisional: flag(),
    writer: writer(),
    notedIn: scopeName().optional(),
    ended: listOf(id()),
    hand: text(recordLongest.key).optional(),
    content: text(recordLongest.key),
  })

const forgotten = () =>
  z.strictObject({
    kind: z.literal('forgotten'),
    keys: z.array(z.base64url().length(43)).min(1).max(64).describe('The keys of the hashes: of this owner alone.'),
    digests: z.array(z.hex().length(32)).max(1_000).describe('Keyed hashes of the ids of forgotten messages.'),
    upTo: time().optional().describe('They count for messages said up to this time: nobody vouched for them where they came from.'),
  })

const signature = () => z.strictObject({ by: z.enum(['store', 'ed25519']), keyId: z.string(), value: z.string() })

const receipt = () =>
  z.strictObject({
    kind: z.literal('receipt'),
    id: id(),
    counts: z.record(z.string().max(recordLongest.short), whole()),
    logical: z.literal('done').optional(),
    physical: z.enum(['pending', 'done']),
    at: time(),
    doneAt: time().optional(),
    erased: object(recordLongest.page).optional().describe('What was erased: names are hashes with the secret of that store.'),
    signatures: z.array(signature()).max(10).optional().describe('They verify in that store, or by an Ed25519 key.'),
  })

const reading = () =>
  z.strictObject({
    kind: z.literal('reading'),
    session: scopeName(),
    seq: whole().describe('The last message that was read for layers.'),
    layers: listOf(layer()),
    provisional: listOf(layer()),
    stale: flag().describe('True when messages changed since.'),
  })

const trailer = () =>
  z.strictObject({
    kind: z.literal('trailer'),
    lines: place().describe('The number of records before this one. Seals are not counted.'),
    counts: z.record(z.string().max(recordLongest.short), whole()).describe('Lines by kind.'),
  })

/** The schemas of all records, by kind, in the order in which they come. */
const schemas = {
  header,
  project,
  owner: user,
  session,
  message,
  block,
  'block-revision': blockRevision,
  page,
  'page-revision': pageRevision,
  'page-fact': pageFact,
  part,
  item,
  fact,
  name: mergedName,
  instruction,
  forgotten,
  receipt,
  reading,
  trailer,
} as const

export type RecordKind = keyof typeof schemas

/** A record of one kind. */
export type RecordOf<Kind extends RecordKind> = z.output<ReturnType<(typeof schemas)[Kind]>>

export type AnyRecord = { [Kind in RecordKind]: RecordOf<Kind> }[RecordKind]

export const recordKinds: readonly RecordKind[] = Object.keys(schemas).filter(isRecordKind)

function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(schemas, kind)
}

let made: ReturnType<typeof union> | undefined

function union() {
  return z.discriminatedUnion('kind', [
    header(),
    project(),
    user(),
    session(),
    message(),
    block(),
    blockRevision(),
    page(),
    pageRevision(),
    pageFact(),
    part(),
    item(),
    fact(),
    mergedName(),
    instruction(),
    forgotten(),
    receipt(),
    reading(),
    trailer(),
  ])
}

/** Checks one record. Returns it, or a sentence that says what is wrong with it. */
export function checkedRecord(received: unknown): { readonly record: AnyRecord } | { readonly fault: string } {
  made ??= union()
  const parsed = made.safeParse(received)
  if (parsed.success) return { record: parsed.data }
  const [issue] = parsed.error.issues
  const at = issue === undefined || issue.path.length === 0 ? 'the record' : issue.path.join('.')
  return { fault: `${at}: ${issue?.message ?? 'it is not valid'}` }
}

/** A seal: after each 1,000 records and at the end (signing/seal.ts). */
const seal = () =>
  z.strictObject({
    seal: place().describe('Its number.'),
    lines: whole().describe('The records since the seal before.'),
    end: flag().describe('True for the last line of the export.'),
    tags: z.string().describe('The first 6 bytes of the SHA-256 of each of those records: base64url.'),
    chain: z.string().describe('The hash of those records and of all before: base64url.'),
    signatures: z.array(signature()),
    is: z.literal('seal'),
  })

/** Returns the JSON Schema (draft 2020-12) of a line. */
export function exportJsonSchema(): object {
  const title = `A line of a Varve export, version ${exportVersion}`
  return { title, ...z.toJSONSchema(z.union([union(), seal()]), { io: 'input', unrepresentable: 'any' }) }
}
