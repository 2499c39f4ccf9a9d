import { readFileSync } from 'node:fs'
import { redact } from '../packages/varve/src/redaction/redact.ts'
import { measuredRedaction } from '../test/fixtures/secrets/measured.ts'
import { reportingSet } from '../test/fixtures/secrets/reporting-set.ts'
import { readArguments } from './shared/arguments.ts'
import { setting, settingLine } from './shared/results.ts'
import { share, table } from './shared/table.ts'

const about = `How many secrets are redacted (recall) and how many harmless texts lose something (false alarms), on the labelled
working set of test/fixtures/secrets, and on the reporting set. A sample counts as found when each of its secrets is gone.
With --talk, also the hits and the CPU time on the lines of a file of harmless talk.`

const options = readArguments('secrets', about, {
  talk: { value: 'file', text: 'a text file, one message a line. Nothing of it is written anywhere.', default: '' },
  show: { value: 'what', text: 'misses, to print each text that was missed or hit.', default: '' },
})

console.log(`${settingLine(setting())}\n`)
const measured = await measuredRedaction((texts) => redact(texts, 'shared'))
console.log(
  table(
    ['kind', 'samples', 'recall'],
    measured.kinds.map(({ kind, samples, found }) => [kind, String(samples), share(found / samples)]),
  ),
)
console.log(`\nrecall ${share(measured.found / measured.samples)} of ${measured.samples} samples in ${measured.kinds.length} kinds`)
console.log(`false alarms ${measured.falseAlarms.length} of ${measured.lookAlikes} look-alikes`)
const reporting = await measuredRedaction((texts) => redact(texts, 'shared'), reportingSet())
console.log(
  `\nreporting set: recall ${share(reporting.found / reporting.samples)} of ${reporting.samples} samples in ` +
    `${reporting.kinds.length} kinds, ` +
    `false alarms ${reporting.falseAlarms.length} of ${reporting.lookAlikes} look-alikes`,
)
if (options.show === 'misses') {
  for (const { kind, text, secrets } of measured.missed) console.log(`missed ${kind}: ${JSON.stringify(text)} ${JSON.stringify(secrets)}`)
  for (const text of measured.falseAlarms) console.log(`false alarm: ${JSON.stringify(text)}`)
}

if (options.talk !== '') {
  const lines = readFileSync(options.talk, 'utf8').split('\n').filter(Boolean)
  await redact(lines.slice(0, 200), 'shared')
  const before = process.cpuUsage()
  let hits = 0
  for (const line of lines) {
    const { texts, found } = await redact([line], 'shared')
    hits += Math.min(found, 1)
    if (found > 0 && options.show === 'misses') console.log(`hit: ${texts[0]}`)
  }
  const { user, system } = process.cpuUsage(before)
  console.log(`talk: ${hits} of ${lines.length} messages hit, ${((user + system) / lines.length).toFixed(1)} CPU-µs a message`)
}
