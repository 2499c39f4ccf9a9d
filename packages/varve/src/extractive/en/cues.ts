import type { CuePhrases } from '../language-pack.ts'
import { phrases } from '../word-lists.ts'

export const cues: CuePhrases = {
  decision: phrases(`decided?, decision, decides, let['’]s (?!keep|continue|make (?:it|them|this)|do (?:it|this)|go after), let us,
    agreed, agree on, settled on, chose, chosen, we will, we['’]ll, i will, i['’]ll, going to, gonna, plan(?:ned|ning)? (?:to|on), booked,
    bought, ordered, signed, scheduled, confirmed, approved, accepted, rejected, cancell?ed, finished, fixed, shipped, released, resolved,
    launched, won, hired, moved to, adopted, deadline, due, instead of, turned out, the cause was, because of`),
  standing: phrases('prefers?, preferred, always, never, must, from now on, remember (?:that|to), allergic, favou?rite'),
  time: phrases(`january, february, march, april, june, july, august, september, october, november, december,
    (?:mon|tues|wednes|thurs|fri|satur|sun)days?, yesterday, tomorrow, tonight,
    (?:last|next|this) (?:week|weekend|month|year|summer|winter|spring|fall|autumn|night), ago, since`),
  firstPerson: phrases("i, i['’](?:m|ve|ll|d), my, me, mine, we, we['’](?:re|ve|ll|d), our, us"),
  secondPerson: phrases("you, your, you['’](?:re|ve|ll|d), yours, yourself"),
  pointsBack: phrases(
    "it, its, it['’]s, they, them, their, that, that['’]s, this, these, those, he, she, his, her, there, so, then, which",
  ),
}
