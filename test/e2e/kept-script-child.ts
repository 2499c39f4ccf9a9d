import { createRequire, enableCompileCache } from 'node:module'
import { runKept } from '../../packages/varve/src/cli/kept-script.ts'

const [script = '', kind = '', ends = 'done'] = process.argv.slice(2)
enableCompileCache()
const begins = runKept(script)
const { answer }: { answer: (kind: string) => string } = createRequire(script)('./start.cjs')
if (ends === 'nothing to do') process.exit()
const done = begins(kind)
process.stdout.write(answer(kind))
if (ends === 'done') done?.(kind)
