import { bankTokens } from '../bank/settings.ts'

/** A project's settings for its layers. */
export interface DistilSettings {
  /** IANA zone for days and sittings. */
  readonly timeZone: string
  /** The most of a local day; undefined for no bound. */
  readonly ceiling: { readonly calls: number | undefined; readonly tokens: number | undefined }
  /** Tokens of the rendered bank. */
  readonly bankTokens: number
}

/** Reads the settings from stored ones, which were checked when they were set. */
export function settingsOf(stored: string): DistilSettings {
  const settings: { timeZone?: string; ceiling?: { calls?: number; tokens?: number }; bank?: { maxTokens?: number } } = JSON.parse(stored)
  return {
    timeZone: settings.timeZone ?? 'UTC',
    ceiling: { calls: settings.ceiling?.calls, tokens: settings.ceiling?.tokens },
    bankTokens: settings.bank?.maxTokens ?? bankTokens.usual,
  }
}
