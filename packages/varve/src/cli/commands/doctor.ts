import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import { memoryOperations } from '../../operations/store.ts'
import { addCommand } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import type { Manifest } from '../manifest.ts'
import { withStore } from '../open-store.ts'
import { harmless, paint, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'

type Check = Awaited<ReturnType<Memory['doctor']>>['checks'][number]

export function addDoctor(program: Command, manifest: Manifest): void {
  addCommand(program, 'doctor', memoryOperations.doctor, (_input, flags) => doctor(flags, manifest), {
    about: 'checks the store: exit code 1 when a check fails',
  })
}

async function doctor(flags: GlobalFlags, { version, engines }: Manifest): Promise<void> {
  const diagnosis = await withStore(flags, (_handle, memory) => memory.doctor(), { of: 'store' })
  const own: readonly Check[] = [
    { name: 'varve', ok: true, detail: version },
    { name: 'node', ok: true, detail: `${process.versions.node}, needs ${engines.node}, at ${process.execPath}` },
  ]
  const checks = [...own, ...diagnosis.checks]
  if (!diagnosis.ok) shell().exitCode = 1
  if (flags.json === true) return printJson({ ok: diagnosis.ok, checks })
  const width = Math.max(...checks.map(({ name }) => name.length))
  for (const check of checks) print(checkLines(check, width).join('\n'))
}

function checkLines({ name, ok, detail, fix }: Check, width: number): string[] {
  const mark = ok ? paint('green', 'ok  ') : paint('red', 'FAIL')
  const head = `${mark}  ${name.padEnd(width)}  ${harmless(detail)}`
  return fix === undefined ? [head] : [head, `${' '.repeat(width + 8)}to do: ${harmless(fix)}`]
}
