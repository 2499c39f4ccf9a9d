import * as z from 'zod'
import { defaultProject, parseScope } from '../scope/scope.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import { costKeys } from '../upkeep/costs.ts'
import { upkeepKinds } from '../upkeep/upkeep-result.ts'
import { backupOperation } from './backup.ts'
import { flag, between, page, project, refused, session, moment, until, user, whole } from './fields.ts'
import { listOf } from './list.ts'
import { storeOperation } from './operation.ts'

export const projectsOperations = {
  list: storeOperation({
    name: 'projects.list',
    kind: 'read',
    route: 'GET /projects',
    about: 'Lists the projects of the store by name.',
    input: () => page(1_000, 100_000),
    output: 'List<ProjectRow>',
    errors: [],
    run: async ({ engine }, request) => listOf(await engine.read('projects.list', request)),
  }),
  create: storeOperation({
    name: 'projects.create',
    kind: 'write',
    route: 'PUT /projects/{name}',
    about: 'Makes a project. An existing project stays as it is.',
    input: () => ({ name: project().describe('The name of the project.') }),
    output: 'ProjectMemory',
    errors: [],
    method: { byHand: true },
    run: async ({ engine }, { name }) => {
      await engine.write('projects.create', name)
      return name
    },
  }),
  delete: storeOperation({
    name: 'projects.delete',
    kind: 'write',
    route: 'DELETE /projects/{name}',
    about: 'Forgets everything of a project, for all of its users.',
    input: () => ({ name: project().describe('The name of the project.') }),
    output: 'Receipt',
    errors: ['NOT_FOUND'],
    run: async ({ engine, mirror, partitionsOf, finishErasure }, { name }) => {
      const erase = async (): Promise<Receipt> => (await engine.write('privacy.deleteProject', name)).receipt
      return finishErasure(await (mirror === undefined ? erase() : mirror.erasing(await partitionsOf(name), erase)))
    },
    told: ({ keyChanges }) => keyChanges.tell(),
  }),
}

/** The longest run of upkeep. */
const longestRunSeconds = 86_400

export const upkeepOperations = {
  run: storeOperation({
    name: 'upkeep.run',
    kind: 'write',
    route: 'POST /upkeep/run',
    about: 'Does the work that is due now: of everything, of a project, of a user, or of one session.',
    input: () => ({
      project: project().optional().describe('Only this project. Default: all.'),
      user: user().optional().describe('Only this user.'),
      session: session().optional().describe('Only this session of that user.'),
      maxSeconds: between(0, longestRunSeconds).optional().describe('Begins no new work after this long. Default 60.'),
      kinds: z
        .array(z.enum(upkeepKinds), { error: `a list of: ${upkeepKinds.join(', ')}` })
        .optional()
        .describe('The kinds of work. Default: all.'),
      maxCalls: whole(0).optional().describe('Begins no new work after so many requests to a language model.'),
      all: flag().optional().describe('Also reads sessions that may go on. Default false.'),
    }),
    output: 'UpkeepResult',
    errors: [],
    method: { options: 'UpkeepOptions' },
    run: async ({ upkeep, partitionsOf }, { project: name, user: owner, session: only, ...options }) => {
      if (name === undefined && owner === undefined && only === undefined) return upkeep.run(options)
      if (only !== undefined && owner === undefined) throw refused('session', only, 'a session of a user: name the user too')
      const of = name ?? defaultProject
      if (owner !== undefined) {
        const { partition } = parseScope({ project: of, user: owner })
        return upkeep.run(options, [{ partition, ...(only === undefined ? {} : { session: only }) }])
      }
      const { project: checked } = parseScope({ project: of })
      return upkeep.run(
        options,
        (await partitionsOf(checked)).map((partition) => ({ partition })),
      )
    },
  }),
  runs: storeOperation({
    name: 'upkeep.runs',
    kind: 'read',
    route: 'GET /upkeep/runs',
    about:
      'Lists the runs of upkeep that did something, the last that ended first: the work by kind, why work failed, requests and ' +
      'tokens. The newest 10,000 rows of the last 90 days are kept.',
    input: () => ({
      project: project().optional().describe('Only this project. Default: all.'),
      from: moment().optional().describe('Begun at this time or later.'),
      to: until().optional().describe('Begun at this time or earlier; a bare day means its end.'),
      ...page(100, 10_000),
    }),
    output: 'List<UpkeepRun>',
    errors: [],
    run: async ({ upkeep }, { project: name, from = 0, to = Number.MAX_SAFE_INTEGER, ...request }) =>
      listOf(await upkeep.runs(name, from, to, request)),
  }),
  status: storeOperation({
    name: 'upkeep.status',
    kind: 'read',
    route: 'GET /upkeep',
    about: 'Tells the backlog by kind, the oldest due work, failures, models and costs.',
    input: () => ({}),
    output: 'UpkeepStatus',
    errors: [],
    run: ({ upkeep }) => upkeep.status(),
  }),
}

export const memoryOperations = {
  ledger: storeOperation({
    name: 'ledger',
    kind: 'read',
    route: 'GET /ledger',
    about: 'Lists requests to language models, the newest first; of one project or of all.',
    input: () => ({
      project: project().optional().describe('Only this project. Default: all.'),
      from: moment().optional().describe('Begun at this time or later.'),
      to: until().optional().describe('Begun at this time or earlier; a bare day means its end.'),
      ...page(1_000, 100_000),
    }),
    output: 'List<LedgerEntry>',
    errors: [],
    method: { options: 'LedgerOptions' },
    run: async ({ engine }, { project: name, from = 0, to = Number.MAX_SAFE_INTEGER, ...request }) =>
      listOf(await engine.read('log.ledger', name, from, to, request)),
  }),
  costs: storeOperation({
    name: 'costs',
    kind: 'read',
    route: 'GET /costs',
    about:
      'Adds up the requests to language models: a bill, divided by project, model, local day of the project, or layer. A request ' +
      'for several layers is divided among them, so that the parts add up to the total, and the total to the ledger.',
    input: () => ({
      project: project().optional().describe('Only this project. Default: all.'),
      from: moment().optional().describe('Begun at this time or later.'),
      to: until().optional().describe('Begun at this time or earlier; a bare day means its end.'),
      by: z
        .array(z.enum(costKeys), { error: `a list of: ${costKeys.join(', ')}` })
        .default(['layer'])
        .describe(`How to divide it: ${costKeys.join(', ')}. Default layer.`),
    }),
    output: 'Costs',
    errors: [],
    run: ({ engine }, { project: name, from = 0, to = Number.MAX_SAFE_INTEGER, by }) =>
      engine.read('upkeep.costs', { project: name, from, to }, by),
  }),
  backup: backupOperation,
  doctor: storeOperation({
    name: 'doctor',
    kind: 'read',
    route: 'GET /doctor',
    about: 'Checks the store, the engine and the embedding model. Reads only.',
    input: () => ({}),
    output: 'Diagnosis',
    errors: [],
    run: async ({ diagnose }) => {
      const checks = await diagnose()
      return { ok: checks.every((check) => check.ok), checks }
    },
  }),
}
