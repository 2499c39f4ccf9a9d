import * as z from 'zod'
import { usualMemberShare } from '../bank/member-share.ts'
import { type DigestAges, defaultAges } from '../bank/frontier.ts'
import { agesOf, bankTokens, mostAgeDays, overBudgets, type StoredBank } from '../bank/settings.ts'
import { partLengths } from '../distil/chunks.ts'
import { longest } from '../facts/request.ts'
import { agentsBounds } from '../projects/agents.ts'
import { readingsBounds } from '../storage/readings-bounds.ts'
import { newMessagesDue, settling } from '../storage/settling.ts'
import { layerBases, switchedLayers } from '../storage/layers.ts'
import { between, checked, expectedVersion, flag, member, oneOf, page, record, typed, whole } from './fields.ts'
import { projectChangesOperation } from './changes.ts'
import { listOf } from './list.ts'
import { notesFields } from './notes-settings.ts'
import { operation } from './operation.ts'
import { sharingNotice } from './sharing-notice.ts'
import { projectExportOperation, projectImportOperation } from './transfer.ts'

/** The most predicates for which a project may set a rule. */
const mostPredicates = 1_000

function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const timeZone = () =>
  checked({ type: 'string' }, (received) => (isTimeZone(received) ? received : undefined), 'an IANA time zone such as Europe/Berlin')

const predicates = () => {
  const error = `an object of at most ${mostPredicates} predicates, each single or multi`
  const isName = (name: string): boolean => name.trim() !== '' && name.length <= longest.predicate
  return z
    .record(z.string().refine(isName, { error }), z.enum(['single', 'multi'], { error }), { error })
    .refine((all) => Object.keys(all).length <= mostPredicates, { error })
}

const ageDays = (of: keyof DigestAges) => between(0, mostAgeDays).optional().meta({ default: defaultAges[of] })

function areAscending(bank: StoredBank): boolean {
  const { day, week, month, year } = agesOf(bank)
  return day <= week && week <= month && month <= year
}

function agesInWords({ day, week, month, year }: DigestAges): string {
  const ages = `dayAgeDays ${day}, weekAgeDays ${week}, monthAgeDays ${month}, yearAgeDays ${year}`
  return `of ages of which none is below the one before it: they would be ${ages}`
}

const readings = () =>
  typed(
    'Partial<ReadingsBounds>',
    record({
      perSession: whole(readingsBounds.perSession.least, readingsBounds.perSession.most).default(readingsBounds.perSession.usual),
      perDay: whole(readingsBounds.perDay.least, readingsBounds.perDay.most).default(readingsBounds.perDay.usual),
    }),
  )

/** When sessions are read. */
const reading = () =>
  record({
    settleMinutes: whole(settling.leastMinutes, settling.mostMinutes).optional().meta({ default: settling.usualMinutes }),
    newMessages: whole(newMessagesDue.least, newMessagesDue.most).optional().meta({ default: newMessagesDue.usual }),
    partMessages: whole(partLengths.least, partLengths.most).optional().meta({ default: partLengths.usual }),
  })

const settings = () =>
  record({
    timeZone: timeZone()
      .nullable()
      .optional()
      .describe('IANA zone for days and sittings, and for the times that a question names. Default UTC.'),
    hemisphere: oneOf(['north', 'south'])
      .nullable()
      .optional()
      .describe('The half of the earth whose seasons a question or a message means, as in “last summer”. Default north.'),
    layers: record(Object.fromEntries(switchedLayers.map((layer) => [layer, flag().optional().meta({ default: layerBases[layer].usual })])))
      .nullable()
      .optional()
      .describe('Layers that are made of messages. Default: as the memory was opened.'),
    ceiling: record({ calls: whole(0).optional(), tokens: whole(0).optional() })
      .nullable()
      .optional()
      .describe('The most requests to language models, and their tokens, of a local day.'),
    bank: record({
      maxTokens: whole(bankTokens.least, bankTokens.most).optional().meta({ default: bankTokens.usual }),
      memberShare: between(0.01, 1).optional().meta({ default: usualMemberShare }),
      overBudget: between(overBudgets.least, overBudgets.most).optional().meta({ default: overBudgets.usual }),
      dayAgeDays: ageDays('day'),
      weekAgeDays: ageDays('week'),
      monthAgeDays: ageDays('month'),
      yearAgeDays: ageDays('year'),
    })
      .superRefine((bank, { addIssue }) => (areAscending(bank) ? undefined : addIssue(agesInWords(agesOf(bank)))))
      .nullable()
      .optional()
      .describe(
        'Tokens of a rendered bank, default 2,000; and the part of the shared bank’s that one member may take when there are ' +
          'others, default a third. Digests are made when the bank is `overBudget` times its tokens; an ended day, week, month or ' +
          'year is shown as one entry at its age in days while there is room.',
      ),
    reading: reading()
      .nullable()
      .optional()
      .describe(
        'When a session is read: after so many minutes of silence, or so many new messages; and the most messages that are ' +
          'read at once. It holds for later readings: parts that are written stay as they are.',
      ),
    readings: readings()
      .nullable()
      .optional()
      .describe('How much the host’s own model reads in a local day (`readings.next`). Default: nothing.'),
    agents: record({
      facts: whole(agentsBounds.facts.least, agentsBounds.facts.most).optional().meta({ default: agentsBounds.facts.usual }),
      instructions: whole(agentsBounds.instructions.least, agentsBounds.instructions.most)
        .optional()
        .meta({ default: agentsBounds.instructions.usual }),
      documents: whole(agentsBounds.documents.least, agentsBounds.documents.most)
        .optional()
        .meta({ default: agentsBounds.documents.usual }),
    })
      .nullable()
      .optional()
      .describe(
        'The most that agents note of their own in a user’s memory: facts and instructions that stand; and the number of ' +
          'documents from which on they make no further one. What a person says is never counted, and never refused.',
      ),
    predicates: predicates().nullable().optional().describe('Predicates with one object at a time (`single`) or several (`multi`).'),
    notes: typed('Partial<NotesSettings>', notesFields())
      .nullable()
      .optional()
      .describe('Rules for updates of notes, their length and their sections.'),
  })

/** Operations of a project's handle itself. */
export const projectOperations = {
  users: operation({
    name: 'users',
    kind: 'read',
    route: 'GET /users',
    about: 'Lists the names of the users who have a partition in the project, in order.',
    input: () => page(1_000, 100_000),
    output: 'List<string>',
    errors: [],
    run: async ({ engine, who }, request) => listOf(await engine.read('projects.users', who.project, request)),
  }),
  sharing: operation({
    name: 'sharing',
    kind: 'read',
    route: 'GET /sharing',
    about:
      'Tells in one place who shares with the project’s members: the notice, since when, what each member shares and keeps ' +
      'out, and of one member the entries that rest on their words.',
    input: () => ({ member: member().optional().describe('Only this member, with their entries; `~` is the anonymous user.') }),
    output: 'SharingReport',
    errors: [],
    method: { options: 'SharingReportOptions' },
    run: async ({ engine, who }, { member: user }) => {
      const report = await engine.read('bank.sharingReport', who.project, user)
      return { ...report, notice: sharingNotice(report.assistants !== undefined) }
    },
  }),
  changes: projectChangesOperation,
  export: projectExportOperation,
  import: projectImportOperation,
}

/** A project's settings. */
export const projectSettingsOperations = {
  get: operation({
    name: 'project.settings.get',
    kind: 'read',
    route: 'GET /settings',
    about: 'Reads the settings that were set for a project.',
    input: () => ({}),
    output: 'ProjectSettings & Versioned',
    errors: [],
    run: ({ engine, who }) => engine.read('projects.settings', who.project),
  }),
  set: operation({
    name: 'project.settings.set',
    kind: 'write',
    route: 'PATCH /settings',
    about: 'Merges changes into the settings of a project. `null` takes a setting back to its default.',
    expects: 'expectedVersion',
    input: () => ({ settings: settings().describe('The settings to change, by name.'), expectedVersion: expectedVersion() }),
    output: 'ProjectSettings & Versioned',
    errors: ['STALE_REVISION'],
    run: ({ engine, who }, { settings, expectedVersion: expected }) => engine.write('projects.set', who.project, expected, settings),
  }),
}
