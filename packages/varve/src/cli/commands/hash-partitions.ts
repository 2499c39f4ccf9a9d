import { checkDivisible, divideStore } from '../../memory/stores/divide-store.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { storeFile, withNewStore } from '../open-store.ts'
import { shell } from '../shell.ts'
import { counted, harmlessLine, note, print, printJson } from '../terminal.ts'
import { shownStore } from '../../memory/stores/standing-store.ts'

/** Divides a store's tables into parts; makes the store where there is none. */
export async function divideTables(parts: number, flags: GlobalFlags): Promise<void> {
  const place = storeFile(flags)
  checkDivisible(place)
  // A table that is half copied is copied again by the next call.
  shell().goesOn = true
  await withNewStore(flags, async () => undefined, { of: 'store' })
  const { divided } = await divideStore(place, parts, (table) => note(`varve: ${table} is in ${parts} parts.`))
  if (flags.json === true) return printJson({ store: shownStore(place), parts, divided })
  print(`${harmlessLine(shownStore(place))}: ${counted(divided.length, 'table')} in ${parts} parts each.`)
}
