import { type Case, ends, is } from '../../../facts/label.sentences.ts'

/** Foods and drinks that somebody avoids. */
export const dietsSentences: readonly Case[] = [
  ['abstains', "I'm lactose intolerant and vegetarian.", is('intolerant to', 'lactose'), is('diet', 'vegetarian')],
  ['abstains', "I'm vegan and allergic to nuts.", is('diet', 'vegan'), is('allergic to', 'nuts')],
  ['abstains', 'I have a gluten intolerance.', is('intolerant to', 'gluten')],
  ['abstains', "I don't eat pork or beef.", is('does not eat', 'pork'), is('does not eat', 'beef')],
  ['abstains', "I'm dairy-free.", is('does not eat', 'dairy')],
  ['abstains', "I've given up drinking alcohol.", ends('likes', 'alcohol'), ends('drinks', 'alcohol'), is('does not drink', 'alcohol')],
  ['abstains', "Bo doesn't eat meat.", is('does not eat', 'meat', { subject: 'Bo' })],
  ['trap: abstains', "I don't eat out much."],
  ['trap: abstains', "I don't drink and drive."],
  ['trap: abstains', "I don't eat before noon."],
  ['trap: abstains', "I'm intolerant of fools, I know."],
  ['trap: abstains', "I can't eat that."],
  ['trap: abstains', "I'm free on Friday."],
  ['abstains', "I don't drink.", is('does not drink', 'alcohol')],
  ['dislikes', "I can't abide whistling.", is('dislikes', 'whistling')],
]
