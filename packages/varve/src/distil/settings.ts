import type { DigestAges } from '../bank/frontier.ts'
import { bankSettings } from '../bank/settings.ts'
import { type Hemisphere, hemisphereOf } from '../projects/hemisphere.ts'
import { settling } from '../storage/settling.ts'
import { type ReadingsBounds, readingsOf } from '../storage/readings-bounds.ts'
import { partLengths } from './chunks.ts'

/** A project's settings for its layers. */
export interface DistilSettings {
  /** IANA zone for days and sittings. */
  readonly timeZone: string
  readonly hemisphere: Hemisphere
  /** The most of a local day; undefined for no bound. */
  readonly ceiling: { readonly calls: number | undefined; readonly tokens: number | undefined }
  /** Tokens of the rendered bank. */
  readonly bankTokens: number
  /** The bank is digested when it exceeds its tokens by this factor. */
  readonly overBudget: number
  readonly ages: DigestAges
  /** The silence after which a session is settled, and a run across midnight ends. */
  readonly settleMs: number
  /** The most messages of one part. */
  readonly partMessages: number
  /** The part of a shared bank that one member may take when there are others. */
  readonly memberShare: number
  /** The bounds of readings by the host's own model; undefined where readings are off. */
  readonly readings: ReadingsBounds | undefined
}

/** Reads the settings from stored ones, which were checked when they were set. */
export function settingsOf(stored: string): DistilSettings {
  const settings: {
    ceiling?: { calls?: number; tokens?: number }
    reading?: { partMessages?: number; settleMinutes?: number }
    hemisphere?: Hemisphere
    readings?: Partial<ReadingsBounds>
  } = JSON.parse(stored)
  const { timeZone, maxTokens: bankTokens, memberShare, overBudget, ages } = bankSettings({ ...settings })
  return {
    timeZone,
    hemisphere: hemisphereOf(settings),
    ceiling: { calls: settings.ceiling?.calls, tokens: settings.ceiling?.tokens },
    bankTokens,
    memberShare,
    overBudget,
    ages,
    settleMs: (settings.reading?.settleMinutes ?? settling.usualMinutes) * 60_000,
    partMessages: settings.reading?.partMessages ?? partLengths.usual,
    readings: readingsOf(settings),
  }
}
