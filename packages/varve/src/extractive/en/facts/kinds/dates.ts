import { regex, source, wordTable } from '../../../word-lists.ts'
import { placeIn } from '../objects.ts'
import { appointmentWith, journey } from '../plans.ts'
import { is, type Reader, type Said, sure, weak } from '../../../facts/said.ts'
import { relations } from '../words.ts'

const months = source`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|
  nov(?:ember)?|dec(?:ember)?)`
/** A day of the calendar. `Friday` alone is none: it is another day every week. */
const calendar = regex('iu')`\b(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?${months}|${months} (?:the )?\d{1,2}(?!\d)|\d{4}-\d\d-\d\d|
  \d{1,2}[./]\d{1,2}[./]\d{2,4})`

const change = source`(?: (?:was|has been|is|got|gets|has|have|were|are))? (?:(?:now )?(?:moved|moves|pushed|postponed|put off|
  rescheduled|extended|brought forward|delayed|changed|shifted|slipped|slips)(?: (?:back|forward|out))?)(?: to)?`
const stands = source`(?:(?:'s| is| are| will be| takes place| is happening|'ll be)(?: now| still| planned for| set for| scheduled for| f
  ixed for| planned| scheduled)?|${change})`
const noun = '[\\p{L}\\p{N}][\\p{L}\\p{N}.+-]{0,20}(?: [\\p{L}\\p{N}][\\p{L}\\p{N}.+-]{0,20}){0,2}'

const deadline = regex('iu')`^(?:(?:the|our|my) )?(?:(?:new|current|final|hard|next) )?(?:(${noun}?) )?deadline(?: for (?:the |our |
  my )?(${noun}))?${stands}$`
const due = regex('iu')`^(?:(?:the|our|my) (${noun}?)|(\d[\d.]{0,6})|([\p{L}-]{3,20}(?: [\p{Ll}-]{3,20})?))(?:'s| is| are) (?:now )?due$`
const noWork = /^(?:she|he|they|it|that|this|which|what|baby|twins|who|there|i|we|you|one|mine)$/iu
/** Things to be handed in or paid that may begin a sentence: `Rent is due on 1 May`. Other words there may be names. */
const handedIn = regex('iu')`(?:^| )(?:beta|alpha|release|reports?|essays?|thesis|dissertation|papers?|assignments?|homework|coursework|
  invoices?|rent|payments?|tax(?:es)?|returns?|drafts?|chapters?|books?|library books|deliverables?|milestone|application|applications|
  proposal|proposals|submissions?|fees?|bills?|slides|project|phase|version|manuscript|audit|renewal|registration|tuition|mortgage|
  insurance)$`
const opens = /^(?:the|my|our) ((?:[\p{L}-]{2,20} ){0,2}[\p{L}-]{2,20}) (starts|begins|ends|finishes|opens|closes|expires|runs out)$/iu
const endsOn = wordTable(`starts: starts on, begins: starts on, opens: opens on, closes: closes on, ends: ends on, finishes: ends on,
  expires: expires on, runs out: expires on`)

const events = source`opening|wedding|exam|party|meeting|launch|release|concert|operation|graduation|delivery|inspection|workshop|
  conference|regatta|festival|exhibition|viva|defence|defense|flight|trip|audit|demo|beta|go-live|interview|funeral|christening|baptism|
  hearing|trial|surgery|scan|marathon|race|recital|show|premiere|reunion|retreat|hackathon|kick-?off|review|handover|move|tour|match|
  tournament|final|test|course|holiday|move-in|registration|vote|election|referendum|webinar|call|rehearsal|sprint|ceremony|reception|
  prom|appraisal|assessment|closing|completion|anniversary|barbecue|bbq|picnic|sale|auction`
const takesPlace = regex('iu')`^(?:(?:the|our|my) )?(?:(?:new|next) )?((?:(?!(?:new|next|last|old|first|
  second) )[\p{L}\p{N}.'-]{2,20} ){0,2}(?:${events})(?: date| day)?)${stands}(?: on| for)?$`

const noOwn = /\b(?:his|her|their|your|not|no|he|she|it|they|that|this|i|and|a)\b/iu

/** Reads the days of deadlines and events. The object is the day as it was said. */
export function daysOfThings(clause: string, isAhead: boolean, when: string | undefined): Said[] {
  if (!isAhead || when === undefined || !calendar.test(when) || /^(?:in|since|until|after|before|around)\b/iu.test(when)) return []
  const day = when.replace(/^(?:on|by|for) /iu, '')
  const more = { single: true, tense: 'future' } as const
  const by = deadline.exec(clause)
  if (by !== null) {
    const of = thing(by[1] ?? by[2] ?? '')
    return of === '' ? is('is on', day, { subject: 'deadline', ...more }) : is('deadline', day, { subject: of, ...more })
  }
  const owed = due.exec(clause)
  const work = thing(owed?.[1] ?? owed?.[2] ?? owed?.[3] ?? '')
  const isName = /^\p{Lu}/u.test(owed?.[3] ?? '') && !handedIn.test(owed?.[3] ?? '')
  if (owed !== null) return isWork(work) && !isName ? is('deadline', day, { subject: work, ...more }) : []
  const [, what = '', verb = ''] = opens.exec(clause) ?? []
  const isOther = relations.includes(what.toLowerCase()) || /^(?:story|book|film|movie|song|game|day|year|week)$/iu.test(what)
  if (verb !== '') return isOther ? [] : is(endsOn[verb.toLowerCase()] ?? '', day, { subject: thing(what), ...more })
  const event = takesPlace.exec(clause)?.[1]
  return event === undefined || noOwn.test(event) || /^\p{Ll}+'s /u.test(event) ? [] : is('is on', day, { subject: thing(event), ...more })
}

/** Tells whether something can be handed in: it is neither a person nor a baby that is due. */
function isWork(work: string): boolean {
  const last = work.split(' ').at(-1)?.toLowerCase() ?? ''
  return work !== '' && !noWork.test(last) && !relations.includes(last) && !/^(?:she|he|they|it|that|who)\b/iu.test(work)
}

/** Returns the text in lower case where only its place in the sentence gives it a capital. */
function thing(text: string): string {
  const plain = text.replace(/^\p{Lu}(?=\p{Ll}+(?: |$))/u, (letter) => letter.toLowerCase())
  return plain.replace(/^(?:the|our|my|and|so|but) /iu, '').trim()
}

const seen = source`(?:dentist|doctor|gp|physio|physiotherapist|optician|vet|hairdresser|barber|therapist|dermatologist|gynaecologist|
  gynecologist|orthodontist|midwife|cardiologist|paediatrician|pediatrician|osteopath|chiropractor|allergist|neurologist|surgeon|
  solicitor|lawyer|notary|accountant|bank manager|tattooist|masseur)`
const treated = source`(?:(?:flu |covid |tetanus )?jab|vaccination|blood test|check-?up|scan|mri|x-?ray|haircut|eye test|smear test|
  massage|interview|driving test|driving lesson)`
const noted = new RegExp(`^(?:(?:an?|the|my) )?(${seen})(?: appointment| appt\\.?)?(?:'s| is| are)?(?: now)?$`, 'iu')
const notedTreatment = new RegExp(`^(?:my |an? |the )?(${treated})(?: appointment| appt\\.?)?(?:'s| is)?(?: now)?$`, 'iu')
const appointmentIs = regex('iu')`^(?:my|our|the) (?:next )?(?:appointment(?: (?:with|at) (?:the |my )?([\p{L}.' -]{2,40}?))?|
  ([\p{Ll}' -]{2,30}?) appointment)(?:'s| is)(?: now)?$`
const flightIs = /^(?:my|our|the) (?:flight|train|ferry|bus|trip) to (.{2,40}?)(?:'s| is| leaves| goes)(?: now)?$/iu

/** Reads appointments and journeys in the form of notes: `dentist tomorrow at 9`, `our flight to Rome is on 3 December`. */
export function notedPlans(clause: string, isAhead: boolean): Said[] {
  if (!isAhead) return []
  const planned = (object: string | undefined, confidence = sure): Said[] => is('plans to', object, { tense: 'future', confidence })
  const met = appointmentIs.exec(clause)
  if (met !== null) return planned(met[1] === undefined && met[2] === undefined ? 'have an appointment' : appointmentWith(met[1] ?? met[2]))
  const whom = noted.exec(clause)?.[1]
  if (whom !== undefined) return planned(appointmentWith(whom.toLowerCase()))
  const treatment = notedTreatment.exec(clause)?.[1]?.toLowerCase()
  const article = /^(?:eye|interview|x|mri)/u.test(treatment ?? '') ? 'an' : 'a'
  if (treatment !== undefined) return planned(`have ${article} ${treatment === 'mri' ? 'MRI' : treatment}`, weak)
  return planned(journey(placeIn(flightIs.exec(clause)?.[1] ?? '')))
}

const leaves =
  /^(?:leave|fly|depart|travel|head|set off|am off|fly out|sail|am leaving|am flying out|am heading off) (?:for|to) (\p{Lu}.*)$/u
const willBe = /^(?:will|am going to) be in (\p{Lu}.*)$/u

/** Reads journeys on a day: `leave for Rome`, `will be in Rome`. */
export const journeys: Reader = (phrase, { who, isAhead }) => {
  if (!isAhead || who === 'other') return []
  if (phrase === 'have an appointment') return is('plans to', phrase, { tense: 'future' })
  const to = leaves.exec(phrase)?.[1]
  if (to !== undefined) return is('plans to', journey(placeIn(to)), { tense: 'future' })
  const at = placeIn(willBe.exec(phrase)?.[1] ?? '')
  return at === undefined ? [] : is('plans to', `be in ${at}`, { tense: 'future', confidence: weak })
}
