import { type Case, ends, is } from '../../../facts/label.sentences.ts'

/** Choices, and the things that were not chosen. */
export const choicesSentences: readonly Case[] = [
  ['choice', 'We decided to go with Svelte.', is('decided on', 'Svelte')],
  [
    'choice',
    'We chose sqlite over duckdb.',
    is('decided on', 'sqlite'),
    ends('decided on', 'duckdb'),
    ends('decided to', 'use duckdb'),
    ends('uses', 'duckdb'),
  ],
  ['choice', 'I decided against the loft conversion.', is('decided against', 'loft conversion'), ends('decided on', 'loft conversion')],
  ['choice', "We're going with Playwright.", is('decided on', 'Playwright')],
  ['choice', 'We agreed on a shared calendar.', is('decided on', 'shared calendar')],
  ['choice', 'Decision: drafts stay private.', is('decided that', 'drafts stay private')],
  [
    'choice',
    'We decided on Svelte over React.',
    is('decided on', 'Svelte'),
    ends('decided on', 'React'),
    ends('decided to', 'use React'),
    ends('uses', 'React'),
  ],
  ['trap: choice', "We're going with Tom to Rome."],
  ['trap: choice', "I'm going with the flow."],
  ['trap: choice', 'We agreed to disagree.'],
  ['trap: choice', 'I chose the fish.'],
  ['trap: choice', "Let's go with the second one."],
  ['trap: choice', 'Should we go with Svelte?'],
]
