import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { VarveError } from '../errors/varve-error.ts'
import { answerHook, type HookMemory } from '../integrations/claude-code/answer-hook.ts'
import { projectHere, projectOfFolder } from '../integrations/claude-code/folder-project.ts'
import { type HookInput, readHookInput } from '../integrations/claude-code/hook-input.ts'
import { type HookPlan, hookPlan } from '../integrations/claude-code/hook-plan.ts'
import { sessionId } from '../importers/text.ts'
import { storePlace } from '../memory/places.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { isSteering } from '../operations/steering.ts'
import { parseScope, type ScopeInput } from '../scope/scope.ts'
import type { KindOfRun } from './kept-script.ts'

/** A line `varve hook claude-code …` and its surroundings. */
export interface HookLine {
  /** The words after `hook`. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** All of stdin; undefined when it was too long. */
  readonly stdin: string | undefined
  /** Milliseconds since the process began. */
  readonly elapsed: () => number
  /** Told how long the hook may take in all, in milliseconds of the process. */
  readonly within: (ms: number) => void
  /** Told of the kind of a hook that has work to do, as it begins. */
  readonly begins?: KindOfRun | undefined
  /** Told of a failure: a code, and no words of anybody. */
  readonly debug: (code: string) => void
}

/** The answer to a hook. */
export interface HookDone {
  /** The JSON for stdout; undefined for nothing. */
  readonly output: string | undefined
  /** At the end of a session or before its compaction: the flags of `varve upkeep`, which reads that session now. */
  readonly ended: readonly string[] | undefined
}

/** The store of hooks and agents' programs without `--store`: they run in any folder. */
export function usualStore(): string {
  return join(homedir(), '.varve', 'varve.db')
}

/** The most time that a hook takes, from the start of its process. A prompt waits for its hook. */
const promptMs = 300
const startMs = 2_000
const captureMs = 30_000

/** The most tokens, by estimate. */
const promptTokens = 1_200
const startTokens = 1_800

/** The memory of the index. It bounds the time of a search: of more than some 11,000 messages of 30 words the newest are searched. */
const segmentBytes = 4.5 * 1024 * 1024

const nothing: HookDone = { output: undefined, ended: undefined }

/** Answers a hook. Never rejects: a host must not fail because its memory does. */
export async function answerHookLine(line: HookLine): Promise<HookDone> {
  try {
    return await answered(line)
  } catch (error) {
    line.debug(VarveError.is(error) ? error.code : `UNEXPECTED ${error instanceof Error ? error.name : typeof error}`)
    return nothing
  }
}

interface HookFlags {
  readonly store: string
  /** The server to ask in place of the store. */
  readonly url: string | undefined
  readonly project: string | undefined
  readonly user: string | undefined
  readonly deadlineMs: number
  /** False: no work is begun when a session has ended. */
  readonly upkeep: boolean
}

async function answered(line: HookLine): Promise<HookDone> {
  const flags = flagsOf(line)
  const input = line.stdin === undefined ? undefined : readHookInput(line.stdin)
  const plan = input === undefined ? undefined : hookPlan(input)
  if (input === undefined || plan === undefined) return refused(line, input === undefined ? 'INPUT_UNREADABLE' : 'NOTHING_TO_DO')
  if (plan.kind === 'context' && plan.of === 'prompt' && isSteering(input.prompt ?? '')) return refused(line, 'STEERING')
  const deadlineMs = deadlineOf(plan, flags)
  line.within(deadlineMs)
  // Only a capture makes a store.
  if (plan.kind !== 'capture' && flags.url === undefined && !existsSync(flags.store)) return refused(line, 'NO_STORE')
  const scope = scopeIn(flags, input, line.env)
  const done = line.begins?.(plan.kind === 'ready' ? promptEvent : input.hook_event_name)
  if (plan.kind === 'ready' && done === undefined) return refused(line, 'NOTHING_TO_DO')
  let isWarned = false
  await using memory = await memoryOf(flags, line.env, (code) => {
    isWarned = true
    line.debug(code)
  })
  const maxTokens = plan.kind === 'context' && plan.of === 'prompt' ? promptTokens : startTokens
  const asking = { maxTokens, deadlineMs: Math.max(1, deadlineMs - line.elapsed()), now: Date.now() }
  const handle = memory.for(scope)
  const output = await answerHook(handle, plan, input, asking)
  if (done !== undefined) done(...(await kindsDone(handle, plan, input.hook_event_name, deadlineMs - line.elapsed())))
  if (line.elapsed() > deadlineMs) return refused(line, 'DEADLINE_EXCEEDED')
  // A memory that fails open has told its reason.
  if (plan.kind !== 'capture' && output === undefined) return isWarned ? nothing : refused(line, 'NOTHING_TO_TELL')
  if (plan.kind !== 'capture' || plan.next === 'nothing' || !flags.upkeep) return { output, ended: undefined }
  const ended = sessionId(input.session_id).id
  if (flags.url === undefined) return { output, ended: upkeepFlags(flags, scope, ended) }
  await handle.distil(ended)
  return { output, ended: undefined }
}

const promptEvent = 'UserPromptSubmit'

/** A question such as a prompt may be. It is asked to have the code compiled that answers it. */
const anyQuestion = 'What did we say about it last week?'

/**
 * Returns the kinds of hooks whose code is compiled now. The start of a session has more time than a prompt, so it searches as a prompt
 * would: the first prompt after an install, or after the kept code was lost, need not compile that code.
 */
async function kindsDone(handle: Pick<UserMemory, 'recall'>, plan: HookPlan, event: string, leftMs: number): Promise<string[]> {
  const own = plan.kind === 'ready' ? [] : [event]
  if (plan.kind === 'capture' || event === promptEvent || leftMs < startMs / 2) return own
  return handle.recall(anyQuestion, { limit: 1 }).then(
    () => [...own, promptEvent],
    () => own,
  )
}

function upkeepFlags({ store }: HookFlags, { project, user }: ScopeInput, ended: string): readonly string[] {
  const whose = { store, project, user, 'ended-session': ended }
  return Object.entries(whose).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}

interface OpenMemory extends AsyncDisposable {
  for(scope: ScopeInput): HookMemory & Pick<UserMemory, 'distil' | 'recall'>
}

/** Opens the store, or asks a server, which loads next to nothing and has vectors. Its key stands in a variable alone. */
async function memoryOf({ store, url }: HookFlags, env: HookLine['env'], debug: HookLine['debug']): Promise<OpenMemory> {
  const logger = { warn: (message: string) => debug(codeOf(message)) }
  if (url !== undefined) {
    const { connect } = await import('../client/connect.ts')
    const key = env['VARVE_KEY'] || undefined
    return connect({ url, retries: 0, logger, ...(key === undefined ? {} : { key }) })
  }
  const { openMemoryIn } = await import('../memory/memory.ts')
  return openMemoryIn(env, {
    ...{ store, engine: 'inline', upkeep: 'manual', isolation: 'silent', tokenizer: 'estimate', segmentBytes },
    ...{ embeddingModel: false, languageModel: false, logger },
  })
}

function refused(line: HookLine, code: string): HookDone {
  line.debug(code)
  return nothing
}

function flagsOf({ args, env }: HookLine): HookFlags {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { store: text, url: text, project: text, user: text, 'deadline-ms': text, 'no-upkeep': { type: 'boolean' } },
    strict: false,
    allowPositionals: true,
  })
  const given = (flag: string, variable: string): string | undefined => {
    const value = values[flag] ?? env[variable]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const deadlineMs = Number(values['deadline-ms'] ?? promptMs)
  return {
    store: storePlace(given('store', 'VARVE_STORE') ?? usualStore(), 'store'),
    url: typeof values.url === 'string' ? values.url : undefined,
    project: given('project', 'VARVE_PROJECT'),
    user: given('user', 'VARVE_USER'),
    deadlineMs: deadlineMs > 0 ? deadlineMs : promptMs,
    upkeep: values['no-upkeep'] !== true,
  }
}

function deadlineOf(plan: HookPlan, { deadlineMs }: HookFlags): number {
  if (plan.kind === 'capture') return captureMs
  return plan.kind === 'context' && plan.of === 'prompt' ? deadlineMs : Math.max(startMs, deadlineMs)
}

function scopeIn({ project, user }: HookFlags, { cwd }: HookInput, env: HookLine['env']): ScopeInput {
  const isNamed = project !== undefined && project !== projectOfFolder
  const scope = { project: isNamed ? project : projectHere(env, cwd), ...(user === undefined ? {} : { user }) }
  parseScope(scope)
  return scope
}

/** Keeps the code of a warning. */
function codeOf(message: string): string {
  return /^[A-Z_]+(?=: )/.exec(message)?.[0] ?? 'WARNING'
}
