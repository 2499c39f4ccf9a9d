import type { UserMemory } from '../../memory/user-memory.ts'
import { sessionId } from '../../importers/text.ts'
import { plainJson } from '../../messages/plain-json.ts'
import type { CaptureMemory } from './capture.ts'
import { type HookAsking, hookContext } from './hook-context.ts'
import type { HookInput } from './hook-input.ts'
import type { HookPlan } from './hook-plan.ts'

/** The part of a memory that hooks need. */
export type HookMemory = CaptureMemory & Pick<UserMemory, 'context' | 'notes'>

/** Does the work of a hook. Gives the JSON for Claude Code; undefined for nothing. */
export async function answerHook(
  memory: HookMemory,
  plan: HookPlan,
  input: HookInput,
  asking: HookAsking & { readonly now: number },
): Promise<string | undefined> {
  if (plan.kind === 'ready') return undefined
  if (plan.kind === 'context') {
    const text = await hookContext(memory, plan.of, input, asking)
    return text === undefined ? undefined : contextJson(input.hook_event_name, text)
  }
  // The readers of transcripts are loaded for a capture alone.
  const { capture } = await import('./capture.ts')
  await capture(memory, plan.file, input, asking.now)
  if (plan.next === 'notes') await updateNotes(memory, sessionId(input.session_id).id)
  return undefined
}

/** The signs that a terminal would obey, or that nobody sees, are escapes of JSON. */
function contextJson(hookEventName: string, additionalContext: string): string {
  return plainJson(JSON.stringify({ suppressOutput: true, hookSpecificOutput: { hookEventName, additionalContext } }))
}

/** Brings the notes up to date before the words that they sum up leave the model's window. */
async function updateNotes({ notes }: HookMemory, session: string): Promise<void> {
  const { due } = await notes.due(session)
  if (due) await notes.update(session)
}
