import type { Command } from 'commander'
import { auditOperations } from '../../operations/audit.ts'
import { defaultProject } from '../../scope/scope.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { auditLine } from '../render/audit-entry.ts'
import { note, print, printJson } from '../terminal.ts'
import { wholeList } from '../whole-list.ts'

const after = `
Of the project that --project names, else of all; with --user, of that user (~ is
the anonymous user). It holds ids and Varve's own words, and no content. What a
program does that opens the store itself is not in it.

  $ varve audit --act forget --from 2026-11-01
  $ varve audit --project acme --user ada --limit 20`

export function addAudit(program: Command): void {
  addCommand(program, 'audit', auditOperations.list, audit, {
    about: 'lists who read, wrote, shared and forgot through the server, the newest first',
  }).addHelpText('after', after)
}

async function audit({ limit, ...given }: InputOf<typeof auditOperations.list>, flags: GlobalFlags): Promise<void> {
  const { user: _user, ...store } = flags
  const asked = given.user === undefined ? given : { ...given, project: given.project ?? defaultProject }
  const entries = await withStore(store, (_handle, memory) => wholeList(limit, (page) => memory.audit.list({ ...asked, ...page })), {
    of: 'store',
  })
  if (flags.json === true) return printJson({ entries })
  if (entries.length === 0) return note('No entry: no caller of a server did that.')
  for (const entry of entries) print(auditLine(entry))
}
