import type { Case } from '../../facts/label.sentences.ts'
import { acquaintancesSentences } from './acquaintances.sentences.ts'
import { asidesSentences } from './asides.sentences.ts'
import { habitsSentences } from './habits.sentences.ts'
import { choicesSentences } from './kinds/choices.sentences.ts'
import { contactSentences } from './kinds/contact.sentences.ts'
import { datesSentences } from './kinds/dates.sentences.ts'
import { dietsSentences } from './kinds/diets.sentences.ts'
import { healthSentences } from './kinds/health.sentences.ts'
import { jobsSentences } from './kinds/jobs.sentences.ts'
import { kinSentences } from './kinds/kin.sentences.ts'
import { remindersSentences } from './kinds/reminders.sentences.ts'
import { storedSentences } from './kinds/stored.sentences.ts'
import { studiesSentences } from './kinds/studies.sentences.ts'
import { toolsSentences } from './kinds/tools.sentences.ts'
import { traitsSentences } from './kinds/traits.sentences.ts'
import { laughsSentences } from './laughs.sentences.ts'
import { leavingSentences } from './leaving.sentences.ts'
import { negationsSentences } from './negations.sentences.ts'
import { objectsSentences } from './objects.sentences.ts'
import { ownNameSentences } from './own-name.sentences.ts'
import { partingsSentences } from './partings.sentences.ts'
import { retractionsSentences } from './retractions.sentences.ts'
import { spellingSentences } from './spelling.sentences.ts'

/** The labelled sentences, by the module whose patterns read them. Every one is read exactly as it is labelled. */
export const exact: Readonly<Record<string, readonly Case[]>> = {
  acquaintances: acquaintancesSentences,
  asides: asidesSentences,
  habits: habitsSentences,
  'kinds/choices': choicesSentences,
  'kinds/contact': contactSentences,
  'kinds/dates': datesSentences,
  'kinds/diets': dietsSentences,
  'kinds/health': healthSentences,
  'kinds/jobs': jobsSentences,
  'kinds/kin': kinSentences,
  'kinds/reminders': remindersSentences,
  'kinds/stored': storedSentences,
  'kinds/studies': studiesSentences,
  'kinds/tools': toolsSentences,
  'kinds/traits': traitsSentences,
  laughs: laughsSentences,
  leaving: leavingSentences,
  negations: negationsSentences,
  objects: objectsSentences,
  'own-name': ownNameSentences,
  partings: partingsSentences,
  retractions: retractionsSentences,
  spelling: spellingSentences,
}
