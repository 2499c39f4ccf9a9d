import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import { type Ed25519Key, ed25519Key } from '../signing/keys.ts'

/** Reads the key that signs: the option, or the PEM file that a variable names. A public key is refused: it cannot sign. */
export function signingKeyOf(option: string | KeyObject | undefined, file: string | undefined): Ed25519Key | undefined {
  const setting = option === undefined ? 'VARVE_SIGNING_KEY' : 'signingKey'
  const given = option ?? (file === undefined ? undefined : pemAt(file))
  if (given === undefined) return undefined
  const key = ed25519Key(given, setting)
  if (key.privateKey === undefined) throw new InvalidConfiguration({ setting, reason: 'is a public key, which cannot sign' })
  return key
}

function pemAt(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown'
    throw new InvalidConfiguration({ setting: 'VARVE_SIGNING_KEY', reason: `must be the path of a PEM file (${reason})` }, { cause })
  }
}
