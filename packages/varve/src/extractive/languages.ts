import { german } from './de/pack.ts'
import { english } from './en/pack.ts'
import { spanish } from './es/pack.ts'
import { french } from './fr/pack.ts'
import type { LanguagePack } from './language-pack.ts'

/**
 * Every language that the extractive writers know. They use all packs on every message: people change languages within a
 * session, and short messages do not show theirs. To add a language, add a folder with a pack and a line here.
 */
export const languagePacks: readonly LanguagePack[] = [english, german, french, spanish]
