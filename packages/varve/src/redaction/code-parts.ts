// The parts of rules for codes of digits.

export const wordStart = String.raw`(?<![A-Za-zÀ-ɏ0-9])`
/** Up to so many words between a noun and its digits. No sentence ends between them. */
export const filler = (most: number): string =>
  String.raw`(?:[ \t]{1,2}(?:["'“]?[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]{0,20}["'”]?|\([A-Za-zÀ-ɏ]{1,16}\))){0,${most}}?`
export const sign =
  String.raw`(?:["'”]?\s{0,2}[:：=＝→#]{1,2}\s{0,3}|['’]s\s|,?\s(?:c['’]est|it['’]?s|es ist)\s|\s{0,2}(?:->|=>|—|–|` +
  String.raw`-)\s{0,2}|,?[ \t]{1,2}|\s?(?:是|为|為|は|が)\s?)["'“「*]{0,2}`
/** Behind the digits: no unit, time, date, price or longer number. */
export const end =
  String.raw`(?![A-Za-zÀ-ɏ0-9]|[:.,/-]\d|\s?(?:%|€|\$|°|times|years?|days?|hours?|minutes?|mins?|seconds?|people|digits?|` +
  String.raw`characters?|weeks?|months?|Jahre|Tage|Stunden|Minuten|Stellen|位|桁|分|元|円|ms|mg|km|kg|px|mAh|Ah|N|W|V|Hz|dB|cm|mm|ft|` +
  String.raw`lbs?|USD|EUR|dollars?|euros?|votes?|steps?|points?|Uhr|am|pm|o['’]clock)(?![A-Za-zÀ-ɏ]))`
export const digits = (least: number, most: number): string =>
  String.raw`(?<secret>(?:[#*]?\d(?:[ -]?\d){${least - 1},${most - 1}}[#*]?))${end}`

export const isNoYear = (secret: string): boolean => !/^(?:19|20)\d\d$/.test(secret)
export const isNoDate = (secret: string): boolean => !/^(?:19|20)\d\d-\d\d-\d\d$/.test(secret)

/** What programs and people call a code of some place: `zip code` opens nothing. */
export const otherCodes =
  String.raw`(?<!(?:zip|area|country|post|postal|dress|error|exit|status|promo|discount|coupon|voucher|booking|source|qr|bar|colou?r|` +
  String.raw`course|dial(?:l?ing)?|product|building) )`

/** Words behind which a number is a place, not a code. */
const places = new RegExp(
  String.raw`(?:^|[^A-Za-zÀ-ɏ])(?:page|line|room|row|section|chapter|floor|step|port|since|until|till|year|version|paragraph|` +
    String.raw`conduct|practice|of|from|` +
    String.raw`article|seite|zeile|raum|zimmer|seit|bis|kapitel|página|pagina|página|sala|chapitre|pièce|depuis|jusqu)\W{0,3}$`,
  'i',
)
const isSaid = /(?:is|ist|war|was|es|est|è|é|lautet|[:：=→])\s?["'“#*]{0,2}$/i

/** Tells a code from a date, a year and the number of a place. */
export function isCodeNumber(secret: string, { 0: whole }: RegExpExecArray): boolean {
  const before = whole.slice(0, whole.lastIndexOf(secret))
  return isNoDate(secret) && !/^\d{4}[ -]\d\d?[ -]/.test(secret) && !places.test(before) && (isNoYear(secret) || isSaid.test(before))
}
