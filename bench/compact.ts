import { keyFacts } from './compact/facts.ts'
import { surviving } from './compact/survival.ts'
import { timeCompaction } from './compact/timing.ts'
import { readArguments, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { linesTable } from './shared/lines.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { figure, share, table } from './shared/table.ts'

const about = `What compacting a coding conversation takes, and what is left of it. The conversation is made up, always the same:
requests, tool calls with what
they answered, reports, and ${keyFacts.length} key facts among them (paths, ids, error messages, decisions). A fact survives when
one line of the notes has its words. No
model: the extractive writer.`

const options = readArguments('compact', about, {
  tokens: { value: 'number', text: 'of the conversation, estimated.', default: '150000' },
  budget: { value: 'number', text: 'tokens that a compacted conversation may have where survival is measured.', default: '30000' },
  scratch: { value: 'folder', text: 'where the store is made.', default: '' },
})
const tokens = wholeNumber('tokens', options.tokens, 10_000, 2_000_000)
const budget = wholeNumber('budget', options.budget, 2_000, 1_000_000)
const here = setting()
const calibration = calibrate()
console.log(`${settingLine(here)}; calibration ${figure(calibration)} CPU-ms\n`)

const lines = await timeCompaction(tokens, options.scratch)
console.log(`${linesTable(lines)}\n`)

const survival = []
for (const compactions of [1, 5, 20]) survival.push(await surviving(tokens, compactions, budget))
console.log(
  table(
    ['compactions', 'notes tokens', 'all tokens', 'in notes', 'in all', 'paths', 'ids', 'errors', 'decisions'],
    survival.map(({ compactions, notesTokens, tokens: all, inNotes, inAll, byKind }) => [
      String(compactions),
      figure(notesTokens),
      figure(all),
      share(inNotes),
      share(inAll),
      share(byKind.path),
      share(byKind.id),
      share(byKind.error),
      share(byKind.decision),
    ]),
  ),
)
writeResults('compact', { setting: here, calibration, tokens, budget, lines, survival })
