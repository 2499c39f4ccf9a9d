import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ModelFailed } from '../../errors/model-failed.ts'
import { modelName } from './identity.ts'

/** `model/` in the package, the same path from the sources as from the build. */
export const modelFolder = fileURLToPath(new URL('../../../model/', import.meta.url))

const names = ['minilm.onnx', 'tokenizer.json'] as const

/** The sum of each file, in hexadecimal. */
const sumsName = 'sha256.json'
const sumsShape = z.object({ 'minilm.onnx': z.string(), 'tokenizer.json': z.string() })
type Sums = z.infer<typeof sumsShape>

export interface ModelFiles {
  readonly onnx: Uint8Array
  /** The text of tokenizer.json. */
  readonly tokenizer: string
}

/**
 * Reads the model, some 24 MB, and checks every byte against the sums that came with it. It runs in a thread.
 *
 * One wrong bit would give wrong vectors, which are kept. Throws ModelFailed when a file is absent or damaged.
 */
export function readModelFiles(folder: string): ModelFiles {
  try {
    const sums = parseSums(readFileSync(join(folder, sumsName), 'utf8'))
    const [onnx, tokenizer] = [readWhole(folder, 'minilm.onnx', sums), readWhole(folder, 'tokenizer.json', sums)]
    return { onnx, tokenizer: tokenizer.toString('utf8') }
  } catch (error) {
    throw unusable(folder, error)
  }
}

/** Does the same check alone, a piece at a time, so that the caller's event loop goes on. */
export async function verifyModelFiles(folder: string = modelFolder): Promise<void> {
  try {
    const sums = parseSums(await readFile(join(folder, sumsName), 'utf8'))
    for (const name of names) {
      const hash = createHash('sha256')
      await pipeline(createReadStream(join(folder, name)), hash)
      mustBeWhole(name, hash.digest('hex'), sums)
    }
  } catch (error) {
    throw unusable(folder, error)
  }
}

function parseSums(text: string): Sums {
  return sumsShape.parse(JSON.parse(text))
}

function readWhole(folder: string, name: keyof Sums, sums: Sums): Buffer {
  const bytes = readFileSync(join(folder, name))
  mustBeWhole(name, createHash('sha256').update(bytes).digest('hex'), sums)
  return bytes
}

function mustBeWhole(name: keyof Sums, found: string, sums: Sums): void {
  if (found !== sums[name]) throw new RangeError(`${name} has the sha256 ${found} in place of ${sums[name]}`)
}

function unusable(folder: string, why: unknown): ModelFailed {
  const found = why instanceof Error ? why.message.replaceAll(/\s+/g, ' ') : String(why)
  const reason = `its files in ${folder} cannot be used (${found}): run \`npm run model\` in a clone of the repository, or install \
varve again`
  return new ModelFailed({ model: modelName, reason, isRetryable: false }, { cause: why })
}
