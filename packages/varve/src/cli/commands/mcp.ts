import type { Command } from 'commander'
import type { Manifest } from '../manifest.ts'
import { addMcpInstall } from './mcp-install.ts'

export function addMcp(program: Command, manifest: Manifest): void {
  addMcpInstall(program.command('mcp').description('writes this server into the settings of agents’ programs'), manifest)
}
