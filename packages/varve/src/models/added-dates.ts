const month = '(?:January|February|March|April|May|June|July|August|September|October|November|December)'
const aDate =
  String.raw` \(((?:about )?(?:week of |(?:spring|summer|autumn|fall|winter) |\d{1,2}(?: ${month}(?: \d{4})?)?–)?(?:\d{1,2} )?` +
  String.raw`(?:${month} )?\d{4}(?:–\d\d)?)\)`
const everyDate = new RegExp(aDate, 'g')
const dateHere = new RegExp(`^${aDate}`)

/** Gives a text without the dates that Varve put behind its times: they are no words of its writer, and count for no bound. */
export function withoutAddedDates(text: string): string {
  return text.includes(' (') ? text.replace(everyDate, '') : text
}

/** Gives the date that Varve put at a place of a text. */
export function addedDateAt(text: string, place: number): string | undefined {
  return dateHere.exec(text.slice(place))?.[1]
}
