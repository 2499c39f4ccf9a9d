import { tokensOfLayers } from './layers/tokens.ts'
import { readArguments } from './shared/arguments.ts'
import { halves, inHalf, readTalkFileOf } from './talk/talk-file.ts'

const about = `What a language model reads and writes for gists and facts, in tokens of o200k_base: the first 20 messages of each session of
LoCoMo that has as many. The system prompt and the schema are the same bytes in every call, so that a provider can cache them.`

const options = readArguments('tokens', about, {
  data: { value: 'file', text: 'locomo10.json. It is read, and nothing of it is written anywhere.' },
})

const conversations = readTalkFileOf('locomo', options.data)
for (const half of halves.filter((one) => one !== 'both'))
  console.log(`${half} half\n${await tokensOfLayers(conversations.filter(inHalf(half)))}\n`)
