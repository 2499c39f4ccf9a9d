import { writeFileSync } from 'node:fs'
import { measure } from './measure.ts'
import { readTalks } from './talks.ts'

// Started by main.ts only. The figures go to a file: some systems print to the standard output.
const [name = '', data = '', folder = '', endpoint = '', out = ''] = process.argv.slice(2)
writeFileSync(out, JSON.stringify(await measure(name, readTalks(data), { folder, endpoint })))
// Some systems keep timers or sockets open.
process.exit(0)
