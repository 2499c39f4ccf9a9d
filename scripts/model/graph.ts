import { dataType, OnnxGraph, value } from './onnx.ts'
import { quantiseChannels, quantiseRows } from './quantise.ts'
import type { Matrix } from './safetensors.ts'

type Tensors = (name: string) => Matrix

const [width, layers, heads] = [384, 6, 12]
/** The model was trained on texts of up to 128 tokens, and is used on up to 256. */
const positions = 256
const epsilon = 1e-12

/** Makes MiniLM as an ONNX file: token ids and a mask of the same shape in, a vector of length 1 for each text out. */
export function miniLmGraph(tensors: Tensors): Buffer {
  const graph = new OnnxGraph()
  graph.constant('zero', [1], new BigInt64Array([0n]))
  graph.constant('one', [1], new BigInt64Array([1n]))
  graph.add('Cast', ['attention_mask'], 'mask', { to: dataType.int32 })
  let x = embedding(graph, tensors)
  for (let layer = 0; layer < layers; layer += 1) x = encoderLayer(graph, tensors, layer, x)
  graph.add('Cast', ['attention_mask'], 'mask.float', { to: dataType.float })
  graph.add('Unsqueeze', ['mask.float', 'one'], 'mask.row')
  graph.add('MatMul', ['mask.row', x], 'sum.row')
  graph.add('Squeeze', ['sum.row', 'one'], 'sum')
  graph.add('LpNormalization', ['sum'], 'pooled', { axis: -1, p: 2 })
  const ids = ['input_ids', 'attention_mask'].map((name) => value(name, dataType.int64, ['texts', 'tokens']))
  return graph.model('minilm', ids, [value('pooled', dataType.float, ['texts', width])])
}

function embedding(graph: OnnxGraph, tensors: Tensors): string {
  const words = quantiseRows(tensors('embeddings.word_embeddings.weight'))
  graph.constant('words', words.shape, words.values)
  graph.constant('words.scale', [words.scales.length, 1], words.scales)
  graph.constant('positions', [positions, width], placesWithType(tensors))
  graph.add('Gather', ['words', 'input_ids'], 'words.found')
  graph.add('Cast', ['words.found'], 'words.float', { to: dataType.float })
  graph.add('Gather', ['words.scale', 'input_ids'], 'words.found.scale')
  graph.add('Mul', ['words.float', 'words.found.scale'], 'words.scaled')
  graph.add('Shape', ['input_ids'], 'shape')
  graph.add('Gather', ['shape', 'one'], 'length')
  graph.add('Slice', ['positions', 'zero', 'length', 'zero'], 'places')
  graph.add('Add', ['words.scaled', 'places'], 'embedded')
  const { gamma, beta } = normalisation(graph, tensors, 'embeddings', 'embeddings.LayerNorm')
  return graph.add('LayerNormalization', ['embedded', gamma, beta], 'embedded.normal', { axis: -1, epsilon })
}

/** Adds the row of token type 0 to each position's: every text has that type. */
function placesWithType(tensors: Tensors): Float32Array {
  const places = tensors('embeddings.position_embeddings.weight').values.slice(0, positions * width)
  const types = tensors('embeddings.token_type_embeddings.weight').values
  return places.map((number, at) => number + (types[at % width] ?? 0))
}

function normalisation(graph: OnnxGraph, tensors: Tensors, name: string, source: string): { gamma: string; beta: string } {
  return {
    gamma: graph.constant(`${name}.gamma`, [width], tensors(`${source}.weight`).values),
    beta: graph.constant(`${name}.beta`, [width], tensors(`${source}.bias`).values),
  }
}

function encoderLayer(graph: OnnxGraph, tensors: Tensors, layer: number, x: string): string {
  const source = `encoder.layer.${layer}`
  const name = `layer${layer}`
  const parts = ['query', 'key', 'value'].map((part) => product(graph, tensors, x, `${source}.attention.self.${part}`, `${name}.${part}`))
  const bias = ['query', 'key', 'value'].flatMap((part) => [...tensors(`${source}.attention.self.${part}.bias`).values])
  graph.constant(`${name}.attention.bias`, [3 * width], Float32Array.from(bias))
  const seen = graph.addFused('MultiHeadAttention', [...parts, `${name}.attention.bias`, 'mask'], `${name}.attention`, { num_heads: heads })
  const attended = product(graph, tensors, seen, `${source}.attention.output.dense`, `${name}.project`)
  const middle = addAndNormalise(graph, tensors, [attended, x], `${source}.attention.output`, `${name}.project`)
  const wide = product(graph, tensors, middle, `${source}.intermediate.dense`, `${name}.widen`)
  graph.constant(`${name}.widen.bias`, [4 * width], tensors(`${source}.intermediate.dense.bias`).values)
  const active = graph.addFused('BiasGelu', [wide, `${name}.widen.bias`], `${name}.gelu`)
  const narrow = product(graph, tensors, active, `${source}.output.dense`, `${name}.narrow`)
  return addAndNormalise(graph, tensors, [narrow, middle], `${source}.output`, `${name}.narrow`)
}

/** Multiplies x by a weight, without the bias: the next operator adds it. */
function product(graph: OnnxGraph, tensors: Tensors, x: string, source: string, name: string): string {
  const { shape, values, scales } = quantiseChannels(tensors(`${source}.weight`))
  graph.constant(`${name}.weight`, shape, values)
  graph.constant(`${name}.scale`, [scales.length], scales)
  graph.constant(`${name}.zero`, [scales.length], new Int8Array(scales.length))
  return graph.addFused('DynamicQuantizeMatMul', [x, `${name}.weight`, `${name}.scale`, `${name}.zero`], name)
}

function addAndNormalise(graph: OnnxGraph, tensors: Tensors, inputs: readonly string[], source: string, name: string): string {
  const { gamma, beta } = normalisation(graph, tensors, name, `${source}.LayerNorm`)
  const bias = graph.constant(`${name}.bias`, [width], tensors(`${source}.dense.bias`).values)
  return graph.addFused('SkipLayerNormalization', [...inputs, gamma, beta, bias], `${name}.normal`, { epsilon })
}
