import { is, type Said, weak } from '../../../facts/said.ts'
import { regex, source } from '../../../word-lists.ts'

const things = source`(?:keys?|passports?|chargers?|receipts?|certificates?|papers|medicine|medication|tablets|pills|inhaler|epipen|
  insulin|first-aid (?:kit|box)|toolbox|tools|torch|flashlight|fuse box|stopcock|ladder|spare tyre|remote|remote control|scissors|
  passwords?|pins?|(?!(?:[Tt]he|[Mm]y|[Oo]ur) )\p{L}{3,20} cards?|folders?|documents?|contracts?|will|deeds?|licen[cs]e|tickets?|
  batteries|candles|matches|lighter|screwdriver|drill|hammer|tape|glue|stapler|umbrella|suitcases?|glasses|wallet|purse|bag|ring|
  jewellery|cash|savings|manuals?|vacuum|hoover|iron|mop|bucket|hose|lawnmower|mower|tent|sleeping bags?|skis|sledge|helmets?|bikes?|
  gloves|hats|scarves|blankets|towels|sheets|lead|leash|cat food|dog food|litter|tokens?|credentials|certs|backups?|photos|albums|
  records|recipes?|recipe book|notebook|diary|slides|spare parts|bulbs|light bulbs|fuses|meter|boiler|router|modem|projector|cables?|
  adapter|yubikey|recovery codes?|seed phrase|logins?|repo|repository)`
const rooms = source`(?:drawer|shed|garage|cupboard|cellar|attic|loft|fridge|freezer|safe|wardrobe|box|shelf|glove compartment|glove box|
  hallway|hall|kitchen|bathroom|bedroom|basement|pantry|larder|closet|cabinet|desk|sideboard|dresser|bookcase|chest|trunk|boot|basket|
  tin|jar|pot|mat|doormat|vase|bin|rack|hook|wall|door|porch|greenhouse|studio|office|barn|stable|tank|bench|table|counter|windowsill|
  mantelpiece|bag|handbag|purse|wallet|pocket|rucksack|backpack|folder|binder|envelope|locker|vault|store room|storeroom|utility room|
  laundry room|spare room|living room|under-stairs cupboard|letterbox|mailbox|flowerpot|stone|brick|bed|sofa|stairs|sink|compartment)`
const where = source`((?:in|under|behind|at|on|above|below|inside|beside|next to|over|underneath|on top of) (?!the (?:mail|post|heart|way|
  cards|works|air|details?|end|bottom|blink|fritz|house|list|agenda|menu|internet|web|cloud|wrong|same|right|correct|works|form|format|
  middle|making|process|pipeline|spotlight|email|message|code|file|log|logs|docs)\b)(?:(?:(?:the|my|our|an?) |\p{Lu}|\d\p{L}).{1,60}))`
const whose = '([Tt]he |[Mm]y |[Oo]ur )?'
const isKept = regex('u')`^${whose}((?:[\p{L}-]{2,20} ){0,2}${things}(?: (?:for|of|to) (?:the |my |our )?[\p{L}\p{N}-]{2,20})?)(?: |
  (?='s ))(?:(is|are|'s|hangs?|lies?|lives?|stays?)|(?:is|are) (?:always )?(?:kept|hidden|stored|saved)) (?:now |still |always )?${where}$`
const keptWith = regex('u')`^${whose}((?:[\p{L}-]{2,20} ){0,2}keys?)(?: (?:is|are)|'s) (?:now |still )?(with (?:(?:my|
  our) \p{Ll}{3,15}(?: \p{Lu}[\p{L}-]{1,20})?|(?:(?:Mrs?|Ms|Dr)\.? )?\p{Lu}[\p{L}-]{1,20})(?: (?:at|from|next door|across|opposite|
  upstairs|downstairs)(?: .{2,40})?)?)$`
const notKept = regex('u')`^${whose}((?:[\p{L}-]{2,20} ){0,2}${things}) (?:(?:is|are) (?:not|no longer)|isn't|aren't) (?:kept )?${where}$`
/** Notes leave out the verb: `spare key under the pot`. */
const noted = new RegExp(`^(?:[Tt]he )?([Ss]pare (?:[\\p{Ll}-]+ )?keys?) ${where}$`, 'u')
const keeps = regex('u')`^(?:[Ii]|[Ww]e) (?:always |usually |now |still )?(?:keep|store|hide|have hidden) (the|my|our|
  an?) ((?:[\p{L}-]{2,20} ){0,3}[\p{L}-]{2,20}) ${where}$`
const put = regex('u')`^(?:[Ii]|[Ww]e)(?:'ve| have)? (?:just |now )?(moved|put|hid|hung) (?:the|my|
  our) ((?:[\p{L}-]{2,20} ){0,2}${things}) (?:(?:from .{2,30} )?(?:in)?to ((?:the|my|our) .{2,50})|((?:in|under|behind|on|above|below|
  inside|beside|next to|over) (?:the|my|our|an?) .{2,50}))$`
const online = regex('u')`^(?:[Tt]he|[Oo]ur|[Mm]y) ((?:[\p{Ll}-]{2,20} ){0,2}(?:repo|repository|docs|documentation|wiki|site|website|
  blog|server|staging server|design|designs|backlog|board|code|source|dashboard)) (?:is|are|lives?|is hosted|are hosted) (?:now )?(?:at|
  on|in) (\p{L}[\p{L}\p{N}-]{0,40}(?:\.[\p{L}\p{N}-]{1,40}){1,4}(?:\/[\p{L}\p{N}._~/-]{0,80})?)$`
const located = new RegExp(` (?:the|my|our|an?) (?:[\\p{L}-]{2,20} ){0,3}${rooms}(?: .{0,30})?$`, 'u')
const inHouse = /^(?:spare|wifi|wi-fi|front|back|door|house|garage|shed|car|bike|api|ssh|gpg|license|alarm|safe|main|backup)\b/iu
const idiom = /\b(?:eye|eyes|head|mind|word|hands?|promise|faith|peace|finger|feet|foot|nose|mouth|tabs?)\b/u

/** Reads the places where things are kept, or are no longer kept. */
export function storedThings(said: string): Said[] {
  const clause = said.replace(/^\p{Lu}(?=\p{Ll}+(?: |'s ))/u, (letter) => letter.toLowerCase())
  const [, of = '', thing = '', verb, at] = isKept.exec(clause) ?? []
  if (at !== undefined) return isFound(thing, verb, at) ? kept(of, thing, at) : []
  const holder = keptWith.exec(clause)
  if (holder !== null) return kept(holder[1] ?? '', holder[2] ?? '', holder[3] ?? '')
  const gone = notKept.exec(clause)
  if (gone !== null)
    return kept(gone[1] ?? '', gone[2] ?? '', (gone[3] ?? '').replace(/ any ?more$/u, '')).map((said) => ({ ...said, says: 'ends' }))
  const [, noun = '', under] = noted.exec(clause) ?? []
  if (under !== undefined) return kept('', noun, under)
  const [, of2 = '', what = '', there] = keeps.exec(clause) ?? []
  if (there !== undefined) return located.test(` ${there}`) && !idiom.test(what) ? kept(`${of2} `, what, there) : []
  const moved = put.exec(clause)
  if (moved !== null) return kept('the ', moved[2] ?? '', moved[3] === undefined ? (moved[4] ?? '') : `in ${moved[3]}`, 'past')
  const [, site = '', address] = online.exec(clause) ?? []
  return address === undefined ? [] : is('is at', address, { subject: site, single: true })
}

/**
 * Tells whether a place can be found. After a mere `is` it must be a room, a piece of furniture or a name: `the key is
 * in the timing` is none.
 */
function isFound(thing: string, verb: string | undefined, at: string): boolean {
  const isKey = /keys?$/u.test(thing) && /^(?=.* .* )(?:under|behind|above|below|beside|next to|on top of) /u.test(at)
  if (isKey || verb === undefined || !/^(?:is|are|'s)$/u.test(verb)) return true
  return located.test(` ${at}`) || inHouse.test(thing) || (/ /u.test(thing) && / (?:\p{Lu}|\d)/u.test(` ${at}`))
}

function kept(of: string, thing: string, at: string, tense: Said['tense'] = 'present'): Said[] {
  const name = thing.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())
  return of.trim().toLowerCase() === 'my'
    ? is(`keeps ${name}`, at, { single: true, tense })
    : is('is kept', at, { subject: name, single: true, tense, ...(of.trim() === '' ? { confidence: weak } : {}) })
}
