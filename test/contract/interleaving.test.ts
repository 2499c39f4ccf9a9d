import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { awaitingStores } from './awaiting-store.ts'
import { testInterleavings } from './interleavings.ts'

const folder = mkdtempSync(join(tmpdir(), 'varve-interleaving-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

testInterleavings(awaitingStores(folder, 'at its beginning'), runs(40))
