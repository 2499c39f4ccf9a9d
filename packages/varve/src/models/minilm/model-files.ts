import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ModelFailed } from '../../errors/model-failed.ts'
import { modelName } from './identity.ts'

/** `model/` in the package, as far from the sources as from what is built of them. */
export const modelFolder = fileURLToPath(new URL('../../../model/', import.meta.url))

const names = ['minilm.onnx', 'tokenizer.json'] as const

/** sha256.json: the sum of each file, in hexadecimal. */
const sumsShape = z.object({ 'minilm.onnx': z.string(), 'tokenizer.json': z.string() })

export interface ModelFiles {
  readonly onnx: Uint8Array
  /** The text of tokenizer.json. */
  readonly tokenizer: string
}

/** Reads the model, some 24 MB: in a thread. ModelFailed when a file is absent or empty; `verifyModelFiles` looks at the bytes. */
export function readModelFiles(folder: string): ModelFiles {
  try {
    const [onnx, tokenizer] = names.map((name) => readFileSync(join(folder, name)))
    if (onnx === undefined || tokenizer === undefined || onnx.length === 0 || tokenizer.length === 0) throw new RangeError('a file is empty')
    return { onnx, tokenizer: tokenizer.toString('utf8') }
  } catch (error) {
    throw unusable(folder, error)
  }
}

/** Checks every byte of the model against the sums that came with it. ModelFailed when one differs. For `doctor`, and for a model that does not load: it takes 50 ms. */
export async function verifyModelFiles(folder: string = modelFolder): Promise<void> {
  try {
    const sums = sumsShape.parse(JSON.parse(await readFile(join(folder, 'sha256.json'), 'utf8')))
    for (const name of names) {
      const hash = createHash('sha256')
      await pipeline(createReadStream(join(folder, name)), hash)
      const found = hash.digest('hex')
      if (found !== sums[name]) throw unusable(folder, `${name} has the sha256 ${found} in place of ${sums[name]}`)
    }
  } catch (error) {
    throw unusable(folder, error)
  }
}

function unusable(folder: string, why: unknown): ModelFailed {
  if (why instanceof ModelFailed) return why
  const found = why instanceof Error ? why.message.replaceAll(/\s+/g, ' ') : String(why)
  const reason = `its files in ${folder} cannot be used (${found}): run \`npm run model\` in a clone of the repository, or install varve again`
  return new ModelFailed({ model: modelName, reason, isRetryable: false }, { cause: why })
}
