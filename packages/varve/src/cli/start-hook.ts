import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { runHook } from './hook.ts'
import { runKept } from './kept-script.ts'

interface HookModule {
  readonly runHook: typeof runHook
}

/**
 * Runs `varve hook` from the script that the build makes of it. The sources have no such script. A hook that asks a server
 * needs little of it, and loads modules instead.
 */
export async function startHook(args: readonly string[], env: NodeJS.ProcessEnv): Promise<never> {
  const script = fileURLToPath(new URL('../hook/hook.cjs', import.meta.url))
  if (args.some((arg) => /^--url(?:=|$)/.test(arg)) || !existsSync(script)) return (await import('./hook.ts')).runHook(args, env)
  const begins = runKept(script)
  const { runHook }: HookModule = createRequire(script)('./start.cjs')
  return runHook(args, env, begins)
}
