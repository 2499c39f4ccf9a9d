import { createRequire, enableCompileCache } from 'node:module'
import { runKept } from '../../packages/varve/src/cli/kept-script.ts'

const [script = '', kind = ''] = process.argv.slice(2)
enableCompileCache()
const began = runKept(script)
const { answer }: { answer: (kind: string) => string } = createRequire(script)('./start.cjs')
began(kind)
process.stdout.write(answer(kind))
