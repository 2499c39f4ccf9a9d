import { beforeEach } from 'vitest'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { severalConnections } from '../fixtures/postgres/several-connections.ts'
import { testInterleavings } from './interleavings.ts'
import { postgresStores } from './postgres-store.ts'

beforeEach(severalConnections)
testInterleavings(postgresStores(), runs(10))
