import * as z from 'zod'

const text = z.string().min(1).optional().catch(undefined)

/** The fields that are read of a hook's input. A field of another type counts as absent, and unknown fields are dropped. */
const hookInput = z.object({
  hook_event_name: z.string(),
  session_id: z.string().min(1).max(256),
  transcript_path: text,
  agent_transcript_path: text,
  cwd: text,
  agent_id: text,
  prompt_id: text,
  source: text,
  prompt: text,
  last_assistant_message: text,
  seconds_since_last_response: z.number().optional().catch(undefined),
})

/** The input of a hook of Claude Code, as it stands on stdin. */
export type HookInput = z.infer<typeof hookInput>

/** Reads a hook's input; undefined when it is no JSON, or names no event or session. */
export function readHookInput(json: string): HookInput | undefined {
  const parsed = hookInput.safeParse(parsedJson(json))
  return parsed.success ? parsed.data : undefined
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
