import { bankSettings } from '../bank/settings.ts'

/** A project's settings for its layers. */
export interface DistilSettings {
  /** IANA zone for days and sittings. */
  readonly timeZone: string
  /** The most of a local day; undefined for no bound. */
  readonly ceiling: { readonly calls: number | undefined; readonly tokens: number | undefined }
  /** Tokens of the rendered bank. */
  readonly bankTokens: number
  /** The part of a shared bank that one member may take when there are others. */
  readonly memberShare: number
}

/** Reads the settings from stored ones, which were checked when they were set. */
export function settingsOf(stored: string): DistilSettings {
  const settings: { ceiling?: { calls?: number; tokens?: number } } = JSON.parse(stored)
  const { timeZone, maxTokens: bankTokens, memberShare } = bankSettings({ ...settings })
  return { timeZone, ceiling: { calls: settings.ceiling?.calls, tokens: settings.ceiling?.tokens }, bankTokens, memberShare }
}
