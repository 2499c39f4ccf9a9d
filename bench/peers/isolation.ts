/*
 * The isolation kit of varve/testing on other memories: random owners, names that look alike, ids of another, and every
 * public method. A breach is one answer, error or change that reaches another owner.
 */
import { AssertionError } from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { type IsolationKit, isolationKit } from '../../packages/varve/src/testing/index.ts'
import { setting, writeResults } from '../shared/results.ts'
import { Endpoint } from './endpoint.ts'
import { childEnvironment } from './environment.ts'

/** The breaches of one check, as the kit's error lists them. */
interface Found {
  readonly check: string
  readonly breaches: readonly string[]
}

async function foundBy(kit: IsolationKit): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const { name, run } of kit.checks) {
    try {
      await run()
      found.push({ check: name, breaches: [] })
    } catch (error) {
      const told = error instanceof AssertionError ? error.message.split('\n- ').slice(1) : [String(error)]
      found.push({ check: name, breaches: told })
    }
  }
  return found
}

// No telemetry, in this process too: mem0 reads its switch when it is loaded.
Object.assign(process.env, childEnvironment(tmpdir()))
using endpoint = await Endpoint.start('native')
const [{ langGraph }, { mem0 }] = await Promise.all([import('./isolation/langgraph.ts'), import('./isolation/mem0.ts')])
const kits = { mem0: isolationKit(mem0(endpoint.url)), langgraph: isolationKit(langGraph(endpoint.url)) }
const results: Record<string, readonly Found[]> = {}
for (const [name, kit] of Object.entries(kits)) {
  const found = await foundBy(kit)
  results[name] = found
  console.log(`\n${name}: ${found.filter(({ breaches }) => breaches.length === 0).length} of ${found.length} checks pass`)
  for (const { check, breaches } of found)
    console.log(
      breaches.length === 0
        ? `  ok  ${check}`
        : `  ${breaches.length} breaches: ${check}\n${breaches.map((line) => `      - ${line}`).join('\n')}`,
    )
}
writeResults('peers-isolation', { setting: setting(), results })
