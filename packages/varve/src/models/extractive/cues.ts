/** A pattern that finds any of the phrases as whole words, whatever their case. */
function anyOf(...phrases: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}

/** Decisions, outcomes and plans, in English, German, French and Spanish. Other languages go without. */
export const decision = anyOf(
  'decided?', 'decision', 'decides', "let['’]s (?!keep|continue|make (?:it|them|this)|do (?:it|this)|go after)", 'let us', 'agreed', 'agree on', 'settled on', 'chose', 'chosen', 'we will', "we['’]ll", 'i will', "i['’]ll", 'going to', 'gonna', 'plan(?:ned|ning)? (?:to|on)', 'booked',
  'bought', 'ordered', 'signed', 'scheduled', 'confirmed', 'approved', 'accepted', 'rejected', 'cancell?ed', 'finished', 'fixed', 'shipped', 'released', 'resolved', 'launched', 'won', 'hired', 'moved to', 'adopted', 'deadline', 'due',
  'instead of', 'turned out', 'the cause was', 'because of',
  'entschieden', 'entscheidung', 'beschlossen', 'abgemacht', 'einigen uns', 'geeinigt', 'vereinbart', 'gebucht', 'bestellt', 'gekauft', 'wir werden', 'ich werde', 'wir nehmen', 'ich nehme', 'lass uns', 'machen wir', 'unterschrieben', 'storniert', 'abgesagt', 'bestätigt', 'frist',
  'décidé', 'décidons', 'décision', "d['’]accord pour", 'convenu', 'réservé', 'commandé', 'acheté', 'on va', 'nous allons', 'je vais', 'signé', 'annulé', 'confirmé', 'choisi',
  'decidido', 'decidimos', 'decidí', 'decisión', 'acordamos', 'acordado', 'quedamos en', 'reservado', 'reservé', 'reservamos', 'compré', 'compramos', 'pedido', 'vamos a', 'voy a', 'firmado', 'firmamos', 'cancelado', 'confirmado', 'elegimos',
)

/** What is to hold from then on: wishes, rules, habits. */
export const standing = anyOf(
  'prefers?', 'preferred', 'always', 'never', 'must', 'from now on', 'remember (?:that|to)', 'allergic', 'favou?rite',
  'immer', 'nie', 'niemals', 'bevorzuge', 'lieber', 'ab jetzt', 'allergisch', 'toujours', 'jamais', 'préfère', 'désormais', 'allergique', 'siempre', 'nunca', 'prefiero', 'a partir de ahora', 'alérgic[oa]',
)

/** Days, months and other times that are named in words. */
export const time = anyOf(
  'january', 'february', 'march', 'april', 'june', 'july', 'august', 'september', 'october', 'november', 'december', '(?:mon|tues|wednes|thurs|fri|satur|sun)days?', 'yesterday', 'tomorrow', 'tonight', '(?:last|next|this) (?:week|weekend|month|year|summer|winter|spring|fall|autumn|night)', 'ago', 'since',
  'januar', 'februar', 'märz', 'mai', 'juni', 'juli', 'oktober', 'dezember', 'montags?', 'dienstags?', 'mittwochs?', 'donnerstags?', 'freitags?', 'samstags?', 'sonntags?', 'gestern', 'morgen', 'heute', '(?:letzte|nächste)[nrs]? (?:woche|monat|jahr)',
  'janvier', 'février', 'mars', 'avril', 'juin', 'juillet', 'août', 'septembre', 'octobre', 'novembre', 'décembre', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche', 'hier', 'demain', "aujourd['’]hui",
  'enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo', 'ayer', 'mañana', 'hoy',
)

/** Amounts, dates, versions and the like hold a digit in any script. */
export const number = /\p{N}/u

/** Ticket numbers, files, versions, names of code: what cannot be guessed again once it is lost. */
export const identifier = /\b[A-Z]{2,}-?\d+\b|#\d+|\bv?\d+\.\d+\.\d+\b|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[\w-]+\.(?:ts|js|py|json|md|csv|pdf|sql|ya?ml|txt|html|css|go|rs|java)\b|[\w.+-]+@[\w-]+\.\w+/u

/** Whoever speaks of himself; of whom he speaks to. */
export const firstPerson = anyOf('i', "i['’](?:m|ve|ll|d)", 'my', 'me', 'mine', 'we', "we['’](?:re|ve|ll|d)", 'our', 'us', 'ich', 'mein(?:e[nmrs]?)?', 'wir', 'unser(?:e[nmrs]?)?', 'je', "j['’]\\p{L}+", 'mon', 'ma', 'mes', 'nous', 'notre', 'nos', 'yo', 'mi', 'mis', 'nosotros', 'nuestr[oa]s?')
export const secondPerson = anyOf('you', 'your', "you['’](?:re|ve|ll|d)", 'yours', 'yourself', 'du', 'dein(?:e[nmrs]?)?', 'dir', 'dich', 'ihr', 'euch', 'tu', 'ton', 'tes', 'toi', 'vous', 'votre', 'vos', 'tus?', 'usted', 'ustedes')

/** Begins with a word that points back: without what stood before, it hangs in the air. */
export const pointsBack = /^(?:it|its|it['’]s|they|them|their|that|that['’]s|this|these|those|he|she|his|her|there|so|then|which|es|das|dies|sie|er|cela|ça|c['’]|il|elle|eso|esto|ese)(?![\p{L}])/iu

export const question = /[?？؟]["'”’)\s]*$/u
