import { trades } from '../facts/words.ts'
import { source } from '../../word-lists.ts'

export const roleEnd = source`(?=$|,| (?:at|in|on|for|by|with|from|of|again|now|and|since|here)\b)`
export const aRole = source`(?:[\p{L}/&-]+ ){0,3}?(?:au pair|${[...trades].filter((role) => role !== 'student').join('|')})`
export const name = source`(?:(?:Dr|Prof|Mr|Mrs|Ms|Frau|Herr|Professor|Uncle|Aunt)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2}`
export const people = "(?:they|we|the \\p{L}+(?: \\p{L}+)?|my \\p{L}+|our \\p{L}+|hr)(?:'ve| have| has)?"
export const soft =
  '(?:now |just |recently |rather |finally |also |still |currently |officially |actually |really |mostly |only |always |usually )*'
export const me = `(?:i|we)(?:'ve| have)? ?${soft}`
export const am = `(?:i|we)(?:'m|'re| am| are) ${soft}(?:back )?`
export const few = source`[\p{L}\p{N}'’/+.-]+(?: [\p{L}\p{N}'’/+.-]+){0,3}`
export const fewEnd = '(?=$|[,!.]| (?:at|in|on|for|from|with|of|last|this|next|yesterday|today|now|after|since|because|and)\\b)'
const weekdayWord = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const unit = `(?:day|night|morning|evening|afternoon|week|weekend|month|quarter|year|payday|${weekdayWord})`
export const often = source`(?:(?:every|each) (?:other |second |single |first |last )?${unit}|(?:once|twice|(?:two|three|four|five|six|
  \d+) times) (?:an?|per) ${unit}|daily|weekly|fortnightly|biweekly|monthly|quarterly|yearly)`

export const aches = source`(?:hearing aids?|(?:reading |varifocal )?glasses|contact lenses|contacts|braces?|(?:knee|back|neck|leg|wrist|
  ankle) brace|splint|cast|retainer|pacemaker|walker|rollator|wheelchair|cane|walking stick|crutches|inhaler|stent|cpap(?: machine)?|
  insulin(?: pump)?|prosthesis|prosthetic \p{L}+|stoma|insoles|compression socks|asthma|glaucoma|cataracts?|diabetes|type (?:1|2|one|
  two) diabetes|migraines?|panic attacks|anxiety|depression|insomnia|eczema|psoriasis|rosacea|arthritis|osteoarthritis|epilepsy|
  coeliac disease|celiac disease|tinnitus|vertigo|reflux|ibs|crohn's|colitis|adhd|add|dyslexia|autism|an(?:a)?emia|hypertension|(?:high|
  low) blood pressure|high cholesterol|osteoporosis|gout|sciatica|endometriosis|pcos|hay ?fever|sleep apn(?:o)?ea|dementia|alzheimer's|
  parkinson's|fibromyalgia|lupus|scoliosis|angina|arrhythmia|raynaud's|a heart murmur|a slipped disc|a hernia|plantar fasciitis|
  carpal tunnel|tendonitis|\p{L}+ (?:allergy|intolerance|deficiency|syndrome|phobia))`
export const conditions = source`(?:colou?r ?-?blind|lactose[ -]intolerant|gluten[ -]intolerant|co?eliac|diabetic|(?:(?:\d+|
  \p{L}+) (?:weeks|months) )?pregnant|left-handed|ambidextrous|short-?sighted|long-?sighted|near-?sighted|far-?sighted|(?:partly |
  half )?deaf|blind|dyslexic|autistic|asthmatic|epileptic|an(?:a)?emic|teetotal|sober|hard of hearing|wheelchair[ -]bound|claustrophobic|
  hypermobile)`
export const diets = source`(?:(?:fully |strictly |mostly )?(?:vegan|vegetarian|veggie|pescatarian|pescetarian|keto|paleo|flexitarian|
  low-carb|carnivore|omnivore|
  halal|kosher)|(?:gluten|dairy|sugar|nut|alcohol|meat|lactose|wheat)[ -]free)`
export const degree = source`(?:degree|phd|doctorate|master'?s?(?: degree)?|bachelor'?s?(?: degree)?|ba|bsc|ma|msc|mba|diploma|
  apprenticeship)`
export const kin = source`(?:(?:my|our) (?:[\p{L}-]+ )?(?:mum|mom|mother|dad|father|sister|brother|son|daughter|wife|husband|partner|
  girlfriend|boyfriend|fianc[eé]e?|gran|nan|grandma|grandpa|grandmother|grandfather|granny|grandad|uncle|aunt|cousin|niece|nephew|
  youngest|oldest|eldest|teenager|kid|boy|girl|toddler|baby|twins|dog|cat|horse|parents|in-laws|(?:mother|father|sister|brother)-in-law)|
  (?:mum|mom|dad|gran|nan|grandma|grandpa|granny|grandad)|the (?:twins|kids|children))`
export const household = kin.replace('uncle|aunt|cousin|niece|nephew|', '')
