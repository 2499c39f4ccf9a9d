import { join } from 'node:path'

/** The measured Varve: `source` or `built`. Children inherit it. */
export const originVariable = 'VARVE_BENCH_FROM'

/** Returns the environment of every child: no telemetry, and a system's own files in the scratch folder. */
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
    // LangGraph's server would print every request.
    LOG_LEVEL: 'error',
  }
}
