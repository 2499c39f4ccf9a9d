import { join } from 'node:path'

/** Which Varve is measured: `source` or `built`. Children inherit it. */
export const originVariable = 'VARVE_BENCH_FROM'

/** For every child: no telemetry, and what a system keeps of its own is in the scratch folder. */
export function childEnvironment(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    MEM0_TELEMETRY: 'false',
    MEM0_DIR: join(folder, '..', 'mem0-home'),
    MASTRA_TELEMETRY_DISABLED: '1',
    LANGSMITH_TRACING: 'false',
    LANGCHAIN_TRACING_V2: 'false',
    LANGCHAIN_CALLBACKS_BACKGROUND: 'false',
    DO_NOT_TRACK: '1',
  }
}
