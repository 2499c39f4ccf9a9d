import * as z from 'zod'
import { agentName } from '../documents/validate.ts'
import type { Fact } from '../facts/fact.ts'
import { mostFactsTold, words } from '../facts/request.ts'
import { expectedVersion, flag, id, between, onlySession, page, record, refused, text, textChecked, moment, whole } from './fields.ts'
import { deedsKept } from '../storage/deeds/deeds.ts'
import { listOf } from './list.ts'
import type { PartitionMeans } from './means.ts'
import { recallRequest } from '../recall/request.ts'
import { operation } from './operation.ts'
import { searchFields, unanswered } from './recalling.ts'

/** The most steps by which facts are followed from a name. */
const mostHops = 4

const subject = (option = 'subject') =>
  textChecked((received) => words('subject', received, option)).describe('A name, or `I`, `me`, `user` for the user.')
const predicate = () => textChecked((received) => words('predicate', received)).describe('The predicate, such as `lives in`, `likes`.')
const object = () => textChecked((received) => words('object', received)).describe('The object, such as `Oslo`.')
const writer = () =>
  textChecked(agentName)
    .optional()
    .describe(
      'The name of the agent that writes; left out: a person. Without a source, what an agent writes is a note: it ends and ' +
        'changes nothing that a person said.',
    )
const during = () =>
  onlySession().describe('The session from which an agent notes it: the note is no claim about a message, and goes with the session.')
const factId = () => id().describe('The id of a fact.')

/** The most grounds, or sources, of one fact. */
const mostListed = 100
const atMost = { error: `a list of at most ${mostListed}` }

const someChange =
  'at least one of object, validFrom, validUntil, confidence; for another subject or predicate, retract it and add the right one'

/** Makes the field of a source: words of a message as they stand there, or characters [from, to), or all of it. */
const source = () =>
  record({
    message: text().describe('The id of a message.'),
    text: text().min(1, { error: 'words of the message' }).optional().describe('Words of it, as they stand there.'),
    from: whole(0).optional().describe('The first character.'),
    to: whole(0).optional().describe('The character after the last.'),
  })
    .refine(({ text: words, from, to }) => words === undefined || (from === undefined && to === undefined), {
      error: '{ message, text } with words of the message, or { message, from, to }',
    })
    .transform(({ message, text: words, from, to }) => ({ message, text: words, from, to }))

const times = () => ({
  validAt: moment().optional().describe('True at this time. Default: at `asOf`, else now.'),
  asOf: moment().optional().describe('As it was believed at this time. Default: now.'),
})

interface GivenTimes {
  readonly validAt?: number | undefined
  readonly asOf?: number | undefined
}

function timesOf({ validAt, asOf }: GivenTimes, now: number): { readonly validAt: number; readonly asOf: number } {
  return { validAt: validAt ?? asOf ?? now, asOf: asOf ?? Number.POSITIVE_INFINITY }
}

/** Makes a change, then reads the fact. A fact may be doubtful because of thousands of others, and a write does not wait for that. */
async function changed({ engine, partition, hint }: PartitionMeans, change: Promise<string>) {
  const id = await change
  hint()
  return engine.read('facts.tell', partition, id)
}

/** Gives the words of a fact, as recall shows them. */
function shownFact({ id, subject, predicate, object }: Fact): { id: string; text: string } {
  return { id, text: `${subject} ${predicate} ${object}` }
}

const query = operation({
  name: 'facts.query',
  kind: 'read',
  route: 'POST /facts/query',
  about:
    'Finds facts by subject, predicate and object, the last said first. By default it finds the facts that hold now, as they are ' +
    'believed now; `validAt` and `asOf` name other times. Empty when nothing was said.',
  input: () => ({
    subject: subject().optional().describe('Only this subject: a name, or `I`, `me`, `user` for the user.'),
    predicate: predicate().optional().describe('Only this predicate, in words that mean the same.'),
    object: object().optional().describe('Only this object.'),
    ...times(),
    ...page(50, mostFactsTold),
  }),
  output: 'List<Fact>',
  errors: [],
  method: { options: 'FactQuery', example: "await ada.facts.query({ subject: 'I', predicate: 'lives in', validAt: '2026-06-01' })" },
  run: async ({ engine, partition, clock, shown }, { validAt, asOf, subject, predicate, object, limit, cursor }) => {
    const request = { subject, predicate, object, limit, cursor, ...timesOf({ validAt, asOf }, clock.now()) }
    const { found, epochs } = await engine.read('facts.query', partition, request)
    shown.add(partition, epochs, found.items.map(shownFact))
    return listOf(found)
  },
})

export const factOperations = {
  list: operation({
    name: 'facts.list',
    kind: 'read',
    route: 'GET /facts',
    about: 'Lists the facts that hold now, the last said first; of one subject, or of all.',
    input: () => ({ subject: subject().optional(), ...times(), ...page(50, mostFactsTold) }),
    output: 'List<Fact>',
    errors: [],
    run: (means, input, call) => query.run(means, { predicate: undefined, object: undefined, ...input }, call),
  }),
  query,
  recall: operation({
    name: 'facts.recall',
    kind: 'read',
    route: 'POST /facts/recall',
    about: 'Finds facts by their words and their meaning.',
    input: () => {
      const { metadata: _, neighbours: __, ...fields } = searchFields(10)
      return { ...fields, ...times() }
    },
    output: 'RecalledFacts',
    errors: [],
    method: { details: 'Fails open as recall does.' },
    run: async ({ engine, partition, clock, questions, shown }, { validAt, asOf, ...input }, { deadlineMs }) => {
      const now = clock.now()
      const request = { ...recallRequest(input, now), ...timesOf({ validAt, asOf }, now) }
      const { vector, degraded } = await questions.of(partition, request.query, deadlineMs)
      const { found: hits, epochs } = await engine.read('recall.facts', partition, request, vector)
      shown.add(partition, epochs, hits)
      return { hits, degraded }
    },
    failsOpen: unanswered('facts'),
  }),
  around: operation({
    name: 'facts.around',
    kind: 'read',
    route: 'POST /facts/around',
    about: 'Lists the facts that hold within some steps of a name: its own facts, those of the names in them, and so on.',
    input: () => ({
      entity: subject('entity'),
      hops: whole(1, mostHops).default(2).describe('The most steps. Default 2.'),
      ...times(),
      ...page(100, mostFactsTold),
    }),
    output: 'List<Fact & { hops: number }>',
    errors: [],
    run: async ({ engine, partition, clock, shown }, { entity, hops, limit, cursor, ...given }) => {
      const request = { hops, limit, cursor, ...timesOf(given, clock.now()) }
      const { found, epochs } = await engine.read('facts.around', partition, entity, request)
      shown.add(partition, epochs, found.items.map(shownFact))
      return listOf(found)
    },
  }),
  history: operation({
    name: 'facts.history',
    kind: 'read',
    route: 'POST /facts/history',
    about:
      'Lists the history of a fact’s slot, by the fact’s id, or of a subject with or without a ' +
      'predicate. Replaced facts are in it too. The first to begin comes first.',
    input: () => ({
      of: z
        .union([z.string(), record({ subject: subject(), predicate: predicate().optional() })], {
          error: 'the id of a fact, or { subject, predicate }',
        })
        .describe('The id of a fact, or a subject with or without a predicate.'),
      ...page(mostFactsTold, mostFactsTold),
    }),
    output: 'List<Fact>',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition }, { of, ...request }) => {
      const asked = typeof of === 'string' ? { id: of } : { subject: of.subject, predicate: of.predicate }
      return listOf(await engine.read('facts.history', partition, asked, request))
    },
  }),
  add: operation({
    name: 'facts.add',
    kind: 'write',
    route: 'POST /facts',
    about:
      'Adds a fact by hand. Where the predicate has one object at a time, the fact closes the fact that began before ' +
      'it. A fact about an earlier time takes its place in between, and closes no later one. The same fact again gets ' +
      'one source more.',
    input: () => ({
      subject: subject().default('user').describe('A name. Default: the user.'),
      predicate: predicate(),
      object: object(),
      validFrom: moment().optional().describe('The time from which it is true. Default: now.'),
      validUntil: moment().optional().describe('The time until which it is true. Default: no end.'),
      confidence: between(0, 1).default(1).describe('Its confidence. Default 1.'),
      single: flag().default(false).describe('Whether an unknown predicate has one object at a time. Default false.'),
      dependsOn: z.array(text(), atMost).max(mostListed, atMost).default([]).describe('Ids of the facts without which it does not hold.'),
      sources: z.array(source(), atMost).max(mostListed, atMost).default([]).describe('Messages that say so.'),
      writer: writer(),
      during: during(),
    }),
    output: 'Fact',
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    method: {
      whole: { name: 'fact', type: 'FactInput' },
      example: "await ada.facts.add({ subject: 'I', predicate: 'works at', object: 'the ferry office', validFrom: '2026-03-01' })",
    },
    run: (means, input) =>
      changed(
        means,
        means.engine.write('facts.add', means.partition, {
          ...input,
          validFrom: input.validFrom ?? null,
          validUntil: input.validUntil ?? null,
        }),
      ),
  }),
  correct: operation({
    name: 'facts.correct',
    kind: 'write',
    route: 'PATCH /facts/{id}',
    expects: 'expectedVersion',
    about:
      'Corrects a fact that was never true as it was said, with effect on the past. Its begin stays, unless it is ' +
      'changed. For something that changed, add a new fact.',
    input: () => ({
      id: factId(),
      object: object().optional(),
      validFrom: moment().optional().describe('The time from which it is true.'),
      validUntil: moment().optional().describe('The time until which it is true.'),
      confidence: between(0, 1).optional().describe('Its confidence.'),
      writer: writer(),
      during: during(),
      expectedVersion: expectedVersion(),
    }),
    output: 'Fact',
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED', 'STALE_REVISION'],
    method: { whole: { name: 'changes', type: 'FactChanges' } },
    run: async (means, { id, writer: by, during: session, expectedVersion: expected, ...changes }) => {
      if (Object.values(changes).every((value) => value === undefined)) throw refused('changes', changes, someChange)
      const correction = { ...changes, writer: by, during: session }
      return changed(means, means.engine.write('facts.correct', means.partition, { id, expected }, correction))
    },
  }),
  retract: operation({
    name: 'facts.retract',
    kind: 'write',
    route: 'POST /facts/{id}/retract',
    expects: 'expectedVersion',
    about:
      'Takes back a fact that was never true. With `validUntil`, it was true until then. The history still has the old ' +
      'belief. To erase words, forget the messages.',
    input: () => ({
      id: factId(),
      validUntil: moment().optional().describe('The end of the time in which it was true.'),
      writer: writer(),
      expectedVersion: expectedVersion(),
    }),
    output: 'Fact',
    errors: ['NOT_FOUND', 'LIMIT_EXCEEDED', 'STALE_REVISION'],
    run: (means, { id, validUntil, writer: by, expectedVersion: expected }) =>
      changed(means, means.engine.write('facts.retract', means.partition, { id, expected }, validUntil ?? null, by)),
  }),
  restore: operation({
    name: 'facts.restore',
    kind: 'write',
    route: 'POST /facts/{id}/restore',
    expects: 'expectedVersion',
    about:
      'Takes back the last correction or retraction by hand of a fact: it is believed again, with its own times and ' +
      'sources. `list` with `asOf` tells the belief in between. A second call changes nothing.',
    input: () => ({ id: factId(), expectedVersion: expectedVersion() }),
    output: 'Fact',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    method: { details: 'InvalidOption for a fact that nobody changed, and for one whose correction was changed in its turn.' },
    run: (means, { id, expectedVersion: expected }) =>
      changed(means, means.engine.write('facts.restore', means.partition, { id, expected })),
  }),
  merges: operation({
    name: 'facts.merges',
    kind: 'read',
    route: 'GET /facts/merges',
    about: 'Lists the merges of names of the last 30 days, the newest first, with who made each and when.',
    input: () => page(100, deedsKept),
    output: 'List<Merge>',
    errors: [],
    run: async ({ engine, partition }, request) => listOf(await engine.read('facts.merges', partition, request)),
  }),
  unmerge: operation({
    name: 'facts.unmerge',
    kind: 'write',
    route: 'POST /facts/merges/{id}/undo',
    about: 'Takes a merge of names back: each name counts as it did before. A second call changes nothing.',
    input: () => ({ id: id().describe('The id of a merge.') }),
    output: 'Merge',
    errors: ['NOT_FOUND'],
    method: { details: 'InvalidOption when the merge is older than 30 days, or when one of its names was forgotten since.' },
    run: ({ engine, partition }, { id }) => engine.write('facts.unmerge', partition, id),
  }),
  merge: operation({
    name: 'facts.merge',
    kind: 'write',
    route: 'POST /facts/merges',
    about: 'Makes a name count as another from now on, in earlier facts too.',
    input: () => ({ entity: subject('entity'), into: subject('into').describe('The name that it counts as; `I` for the user.') }),
    output: 'void',
    errors: [],
    method: { example: "await ada.facts.merge('Addie', 'I')" },
    run: ({ engine, partition }, { entity, into }) => engine.write('facts.merge', partition, entity, into),
  }),
}
