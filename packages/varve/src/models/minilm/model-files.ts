import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ModelFailed } from '../../errors/model-failed.ts'
import { foundElsewhere } from '../../packaged/packaged-file.ts'
import { modelName } from './identity.ts'

const names = ['minilm.onnx', 'tokenizer.json'] as const

/** The sum of each file, in hexadecimal. */
const sumsName = 'sha256.json'
const sumsShape = z.object({ 'minilm.onnx': z.string(), 'tokenizer.json': z.string() })
type Sums = z.infer<typeof sumsShape>

/** The absolute path of each file. */
export type ModelPaths = Readonly<Record<(typeof names)[number] | typeof sumsName, string>>

export interface ModelFiles {
  readonly onnx: Uint8Array
  /** The text of tokenizer.json. */
  readonly tokenizer: string
}

/**
 * Returns the paths of the files that come with the package: `model/`, at the same path from the sources as from the
 * build. Each has an address of its own, since a bundler may give each another name and place.
 *
 * @throws PackageFileMissing when one is not there.
 */
export function packagedModel(): ModelPaths {
  const pathOf = (address: () => URL, name: string): string => fileURLToPath(foundElsewhere(address, `model/${name}`) ?? address())
  return {
    'minilm.onnx': pathOf(() => new URL('../../../model/minilm.onnx', import.meta.url), 'minilm.onnx'),
    'tokenizer.json': pathOf(() => new URL('../../../model/tokenizer.json', import.meta.url), 'tokenizer.json'),
    'sha256.json': pathOf(() => new URL('../../../model/sha256.json', import.meta.url), sumsName),
  }
}

export function modelIn(folder: string): ModelPaths {
  return {
    'minilm.onnx': join(folder, 'minilm.onnx'),
    'tokenizer.json': join(folder, 'tokenizer.json'),
    'sha256.json': join(folder, sumsName),
  }
}

/**
 * Reads the model, some 24 MB, and checks every byte against the sums that came with it. It runs in a thread.
 *
 * One wrong bit would give wrong vectors, which are kept. Throws ModelFailed when a file is absent or damaged.
 */
export function readModelFiles(paths: ModelPaths): ModelFiles {
  try {
    const sums = parseSums(readFileSync(paths[sumsName], 'utf8'))
    const [onnx, tokenizer] = [readWhole(paths, 'minilm.onnx', sums), readWhole(paths, 'tokenizer.json', sums)]
    return { onnx, tokenizer: tokenizer.toString('utf8') }
  } catch (error) {
    throw unusable(paths, error)
  }
}

/** Does the same check alone, a piece at a time, so that the caller's event loop goes on. */
export async function verifyModelFiles(paths: ModelPaths): Promise<void> {
  try {
    const sums = parseSums(await readFile(paths[sumsName], 'utf8'))
    for (const name of names) {
      const hash = createHash('sha256')
      await pipeline(createReadStream(paths[name]), hash)
      mustBeWhole(name, hash.digest('hex'), sums)
    }
  } catch (error) {
    throw unusable(paths, error)
  }
}

function parseSums(text: string): Sums {
  return sumsShape.parse(JSON.parse(text))
}

function readWhole(paths: ModelPaths, name: keyof Sums, sums: Sums): Buffer {
  const bytes = readFileSync(paths[name])
  mustBeWhole(name, createHash('sha256').update(bytes).digest('hex'), sums)
  return bytes
}

function mustBeWhole(name: keyof Sums, found: string, sums: Sums): void {
  if (found !== sums[name]) throw new RangeError(`${name} has the sha256 ${found} in place of ${sums[name]}`)
}

function unusable(paths: ModelPaths, why: unknown): ModelFailed {
  const found = why instanceof Error ? why.message.replaceAll(/\s+/g, ' ') : String(why)
  const reason = `its files, such as ${paths['minilm.onnx']}, cannot be used (${found}): run \`npm run model\` in a clone of the \
repository, or install varve again`
  return new ModelFailed({ model: modelName, reason, isRetryable: false }, { cause: why })
}
