import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Finding, longestSecret } from './finding.ts'
import { loadPreset, type SecretScan } from './preset-rules.ts'
import { isStandIn } from './secret-word.ts'

export interface Redacted {
  readonly texts: string[]
  /** The number of markers in all texts. */
  readonly found: number
}

/** The characters scanned before the host gets a turn: windows overlap by the longest secret. */
const windowLength = 2 * longestSecret

/** The most characters by which a window's beginning moves to a blank, so that it does not begin within a word. */
const mostMoved = 256

/** Loaded when it is first needed: most stores never call a remote model. */
let loaded: Promise<SecretScan> | undefined

async function loadScan(): Promise<SecretScan> {
  const [preset, { findByPatterns }] = await Promise.all([loadPreset(), import('./patterns.ts')])
  return async (text) => [...(await preset(text)), ...findByPatterns(text)].filter(({ from, to }) => !isStandIn(text.slice(from, to)))
}

/**
 * The secrets that a text must not hold. `model`: whatever opens something, such as passwords, codes, keys and cards.
 * `shared`: also what names a person or an account, such as an IBAN or a passport's number.
 */
export type RedactionSet = 'model' | 'shared'

/**
 * Replaces each secret in some texts by a marker such as `[redacted: AWS key]`. Other text, and earlier markers, stay
 * as they are. Rejects only when secretlint cannot be loaded: then nothing may be sent.
 *
 * @example const { texts, found } = await redact(['the key is …'], 'model')
 */
export async function redact(texts: readonly string[], set: RedactionSet): Promise<Redacted> {
  loaded ??= loadScan()
  const scan = await loaded
  const redacted: string[] = []
  let found = 0
  for (const text of texts) {
    const findings = merged(
      (await findAll(withoutPublicBlocks(withoutMarkers(text)), scan)).filter(({ isPersonal }) => set === 'shared' || isPersonal !== true),
    )
    redacted.push(withMarkers(text, findings))
    found += findings.length
  }
  return { texts: redacted, found }
}

/** Blanks earlier markers, with as many line ends: no pattern matches within them or across them. */
function withoutMarkers(text: string): string {
  return text.includes('[redacted: ') ? text.replace(/\[redacted: [\w ]{1,40}\]/g, (marker) => '\n'.repeat(marker.length)) : text
}

/** Lines of base64 between the marks of a certificate or a public key. */
const publicBlock = new RegExp(
  String.raw`-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:CERTIFICATE(?: REQUEST)?|PUBLIC KEY(?: BLOCK)?|CRL|SIGNATURE|PARAMETERS|PKCS7)-----` +
    String.raw`(?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{1,100}){1,400}(?:\s|\\[nr]){0,4}-----END`,
  'g',
)

/** Blanks certificates and public keys: they are no secrets, and anything may be read into their base64. */
function withoutPublicBlocks(text: string): string {
  return text.includes('-----BEGIN ') ? text.replace(publicBlock, (block) => '\n'.repeat(block.length)) : text
}

async function findAll(text: string, scan: SecretScan): Promise<Finding[]> {
  const found: Finding[] = []
  for (let start = 0; ; start += windowLength - longestSecret) {
    const from = start === 0 ? 0 : afterBlank(text, start)
    const part = text.slice(from, start + windowLength)
    for (const each of await scan(part)) found.push({ ...each, from: each.from + from, to: each.to + from })
    if (start + windowLength >= text.length) return found
    await nextTurn()
  }
}

function afterBlank(text: string, start: number): number {
  const blank = text.slice(start, start + mostMoved).search(/\s/)
  return blank === -1 ? start : start + blank + 1
}

/** Merges findings: sorted, and apart from each other. Of overlapping findings a specific one gives the label, else the longest. */
function merged(findings: readonly Finding[]): Finding[] {
  const apart: Finding[] = []
  for (const next of findings.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = apart.at(-1)
    if (last === undefined || next.from >= last.to) apart.push(next)
    else apart[apart.length - 1] = { ...better(last, next), from: last.from, to: Math.max(last.to, next.to) }
  }
  return apart
}

function better(a: Finding, b: Finding): Finding {
  if (a.specific !== b.specific) return a.specific ? a : b
  return b.to - b.from > a.to - a.from ? b : a
}

function withMarkers(text: string, findings: readonly Finding[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { from, to, label } of findings) {
    pieces.push(text.slice(at, from), `[redacted: ${label}]`)
    at = to
  }
  return pieces.join('') + text.slice(at)
}
