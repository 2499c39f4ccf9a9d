import { is, type Said, weak } from '../../../facts/said.ts'
import { regex, source } from '../../../word-lists.ts'

const thing = source`(?:the |(?<whose>my |our ))?(?<thing>(?:[\p{L}-]{2,20} ){0,2}(?:keys?|passports?|passwords?|stopcock|fuse box|
  medicine|insulin|inhaler|epipen|first-aid kit|toolbox|ladder|scissors|recovery codes?))`
const place = source`(?:(?:in|under|behind|on|above|below|inside|beside|next to|with) (?!the (?:mail|post|way|wrong|right|same|
  list|format|details)\b)(?:the |my |our |an? |(?=\p{Lu}|\d\p{L})).{1,60})`
const isKept = regex('u')`^${thing}(?:(?:'s| is| are)(?: kept| hidden| stored)?| hangs?| lies?|(?<=spare keys?)) (?:now |still )?
  (?<at>${place})$`
const put = regex('u')`^(?:I|we)(?:'ve| have)? (?:just |now )?(?:moved|put|hid|hung|keep) ${thing} (?:(?:in)?to (?<to>(?:the|my|
  our) .{2,50})|(?<at>${place}))$`

/** Reads the places where keys, papers and the like are kept. */
export function storedThings(said: string): Said[] {
  const clause = said.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())
  const { whose = '', thing: name = '', to, at } = (isKept.exec(clause) ?? put.exec(clause))?.groups ?? {}
  return is('is kept', to === undefined ? at : `in ${to}`, {
    subject: whose + name,
    single: true,
    ...(at === undefined ? {} : { confidence: weak }),
  })
}
