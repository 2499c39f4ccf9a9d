import { type Case, ends, is } from '../../../facts/label.sentences.ts'

/** Illnesses, medicines and allergies. */
export const healthSentences: readonly Case[] = [
  ['health', 'I was diagnosed with type 1 diabetes in May.', is('has', 'type 1 diabetes', { when: 'in May' })],
  ['health', 'Our son was diagnosed with asthma last year.', is('has', 'asthma', { subject: 'my son', when: 'last year' })],
  ['health', 'I take atorvastatin at night.', is('takes', 'atorvastatin')],
  ['health', "I'm on sertraline 50 mg and metformin.", is('takes', 'sertraline 50 mg'), is('takes', 'metformin')],
  ['health', "I'm no longer on lisinopril.", ends('takes', 'lisinopril')],
  ['health', 'I must put my penicillin allergy on the form.', is('allergic to', 'penicillin')],
  ['trap: health', 'My seasonal allergy is a nuisance.'],
  ['trap: health', 'I outgrew my egg allergy.'],
  ['trap: health', 'It turned out that my egg allergy was none.'],
  ['trap: health', 'They asked whether my egg allergy is bad.'],
  ['trap: health', 'I take walks every day.'],
  ['trap: health', 'I take the bus twice a day.'],
  ['trap: health', "I'm on holiday."],
  ['trap: health', 'I was diagnosed with it.'],
  ['trap: health', 'Should I take aspirin?'],
]
