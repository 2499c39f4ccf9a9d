import type { SmallTalk } from '../language-pack.ts'
import { phrases, spacedWords } from '../word-lists.ts'

/** `yes` and `no` are no interjections: they can be the answer. */
export const smallTalk: SmallTalk = {
  interjections: phrases(`wow, whoa, yeah, yep, yup, yay, oh, ooh, ah, aw+, hey(?: there)?, hi(?: there)?, hello(?: there)?,
    thanks(?: a lot| a bunch| a ton| so much| again)?, thank you(?: so much)?, thx, cool, great, nice, awesome, amazing, sweet, well,
    sure(?: thing)?, ok, okay, absolutely, totally, definitely, exactly, of course, haha+, lol, congrats, congratulations, by the way,
    btw, anyway, actually, honestly, on another note, me too, same here, mm+, yum, that['’]s (?:great|awesome|cool|amazing), you know,
    i mean, good (?:morning|evening|afternoon|to see you), please, sorry, hmm+, um+, glad to hear it, for sure, no worries, no problem`),
  politeWords: spacedWords(`hi hello hey there good morning afternoon evening night day bye goodbye see you later soon thanks thank lot
    much so very again welcome cheers ok okay sure yes no yeah yep nope alright fine cool great nice awesome amazing wonderful lovely
    sweet super perfect wow oh ah well done congrats congratulations how are have been doing is it going what up new long time talk to
    take care have a luck please sorry no problem worries glad happy hear that the your know best for wish fun weekend sounds look looks
    good i am you re m s hope proud of really ya all too and got this keep chat cant wait same here totally agree agreed absolutely
    exactly right true indeed course appreciate support kind words means anytime let me us if need anything else help can today with any
    one`),
  afterthoughts: phrases('lol, haha+, btw, by the way'),
}
