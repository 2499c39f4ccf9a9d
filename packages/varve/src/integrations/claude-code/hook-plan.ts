import type { HookInput } from './hook-input.ts'

/** The work of a hook. */
export type HookPlan =
  /** There is nothing to tell, but prompts will come. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'context'; readonly of: 'start' | 'compact' | 'prompt' }
  | { readonly kind: 'capture'; readonly file: 'session' | 'agent'; readonly next: 'nothing' | 'notes' | 'upkeep' }

/** The origins of a prompt that a person, or the program of a person, wrote. Older versions name none. */
const ownPrompts: ReadonlySet<string | undefined> = new Set([undefined, 'user', 'sdk'])

/** The pause after which a session that goes on is told again what is known: what it was told at its start is old. */
export const longPauseSeconds = 6 * 3_600

/** Says what a hook has to do; undefined for nothing. */
export function hookPlan(input: HookInput): HookPlan | undefined {
  switch (input.hook_event_name) {
    case 'SessionStart':
      return input.agent_id === undefined ? startPlan(input) : undefined
    case 'UserPromptSubmit':
      return input.agent_id === undefined && ownPrompts.has(input.source) && (input.prompt ?? '').trim() !== ''
        ? { kind: 'context', of: 'prompt' }
        : undefined
    case 'Stop':
    case 'StopFailure':
      return { kind: 'capture', file: 'session', next: 'nothing' }
    case 'SubagentStop':
      return { kind: 'capture', file: 'agent', next: 'nothing' }
    case 'PreCompact':
      return { kind: 'capture', file: 'session', next: 'notes' }
    case 'SessionEnd':
      return { kind: 'capture', file: 'session', next: 'upkeep' }
    default:
      // PostCompact is among them: its summary is a model's digest of words that are stored already.
      return undefined
  }
}

/**
 * A session that is resumed or forked still has the context of its start in its history, so it is told anew only after a long pause.
 * After a compaction the history is gone, and the session's own notes are shown as well.
 */
function startPlan({ source, seconds_since_last_response: pause = 0 }: HookInput): HookPlan | undefined {
  if (source === 'compact') return { kind: 'context', of: 'compact' }
  const goesOn = source === 'resume' || source === 'fork'
  return goesOn && pause < longPauseSeconds ? { kind: 'ready' } : { kind: 'context', of: 'start' }
}
