// Starts a PostgreSQL server for tests and benches, prints its address, and stops it when this process is ended: with
// Ctrl+C, or by its number. What follows -- are settings of the server: npm run postgres -- max_connections=300
import { startPostgres } from './postgres-server.ts'

const server = await startPostgres({ settings: process.argv.slice(2) })
console.log(server.url)
const end = (): void => void server.stop().then(() => process.exit(0))
process.once('SIGINT', end)
process.once('SIGTERM', end)
// The server's own process does not keep this one alive.
setInterval(() => undefined, 2_147_483_647)
