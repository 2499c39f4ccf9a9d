import { join } from 'node:path'
import { loadTokenizer } from '../packages/varve/src/models/tokenizer.ts'
import type { LayerFigure, LayerPart, Measured } from './layers/part.ts'
import { layerParts, scriptedParts } from './layers/parts.ts'
import { readConversation, readSample, type ReadTalk } from './layers/read-talk.ts'
import { showLayers } from './layers/show.ts'
import { readGold } from './profile/gold.ts'
import { readArguments, stop } from './shared/arguments.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { table } from './shared/table.ts'
import { inHalf, readHalf, readTalkFileOf } from './talk/talk-file.ts'

const about = `What the layers write without a language model, on half of LoCoMo's conversations and on the samples in examples/:
relative times without a date, sentences that point to one before, the bank's use of its budget, the profile, facts, documents, notes,
and the CPU time of writing it all.
Each talk has a memory of its own. With --show on, no figure is measured: the samples' layers are printed in full, to be read by eye.`

const options = readArguments('layers', about, {
  data: { value: 'file', text: 'locomo10.json. It is read, and nothing of it is written anywhere.', default: '' },
  half: { value: 'half', text: 'working (the first five conversations), reporting or both.', default: 'working' },
  show: { value: 'on|off', text: "on: prints all that the layers write of the samples, and nothing of LoCoMo's.", default: 'off' },
})
const half = readHalf(options.half)
if (options.show !== 'on' && options.show !== 'off') stop(`--show must be on or off, received ${options.show}`)
if (options.show === 'off' && options.data === '') stop('--data <file> is missing: locomo10.json')

const examples = join(import.meta.dirname, '..', 'examples')
const samples: readonly (readonly [name: string, file: string])[] = [
  ['ferry-kiosk', 'conversations.jsonl'],
  ['coding-session', 'transcript.jsonl'],
]

const here = setting()
console.log(`${settingLine(here)}\n`)
if (options.show === 'on') for (const [name, file] of samples) await shown(name, file)
else await measured()

async function shown(name: string, file: string): Promise<void> {
  const talk = await readSample(name, join(examples, name, file))
  await using _memory = talk.memory
  await showLayers(talk)
}

async function measured(): Promise<void> {
  const tokenizer = await loadTokenizer()
  const gold = readGold(options.data)
  const talks: Measured['talks'][number][] = []
  const conversations = readTalkFileOf('locomo', options.data).filter(inHalf(half))
  for (const conversation of conversations)
    talks.push({ ...(await readConversation(conversation)), gold: gold[conversation.place] ?? new Map() })
  const results = [await figuresOf(`LoCoMo, ${half} half`, { talks, conversations, tokenizer })]
  for (const [name, file] of samples) {
    const talk: ReadTalk = await readSample(name, join(examples, name, file))
    results.push(await figuresOf(name, { talks: [{ ...talk, gold: new Map() }], conversations: [], tokenizer }))
    await talk.memory.close()
  }
  for (const { memory } of talks) await memory.close()
  results.push(await figuresOf('a scripted model', { talks: [], conversations: [], tokenizer }, scriptedParts))
  writeResults('layers', { setting: here, half, results })
}

async function figuresOf(name: string, of: Measured, parts: readonly LayerPart[] = layerParts) {
  const rows: (LayerFigure & { readonly layer: string })[] = []
  for (const { layer, figures } of parts) rows.push(...(await figures(of)).map((one) => ({ layer, ...one })))
  console.log(name)
  console.log(
    table(
      ['layer', 'figure', 'value', 'target', ''],
      rows.map(({ layer, what, value, target = '', met }) => [layer, what, value, target, met === undefined ? '' : met ? 'met' : 'MISSED']),
    ),
  )
  console.log()
  return { name, rows }
}
