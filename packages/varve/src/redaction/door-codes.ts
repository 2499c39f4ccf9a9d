import { digits, end, filler, wordStart, isCodeNumber, isNoDate, otherCodes, sign } from './code-parts.ts'
import { type Pattern, type PatternGroup, patternOf } from './pattern.ts'

// Codes that open doors, safes and locks, and codes of alarms.

const things =
  String.raw`(?:(?:burglar |house |home |office |fire )?alarm(?: system| panel)?|(?:front |back |side |main |garage |cellar )?door|` +
  String.raw`gate|garage|lock ?box|key ?(?:safe|box)|` +
  String.raw`safe|vault|locker|pad ?lock|(?:bike |gym |luggage |suitcase |combination )?lock|entry|entrance|building|lobby|house|` +
  String.raw`apartment|flat|office|keypad|key pad|elevator|` +
  String.raw`intercom|barrier|bâtiment|immeuble|digicode|résidence|portón|finca|edificio|palazzo|condominio|condomínio|prédio|` +
  String.raw`portão|gebouw|voordeur|voordeurslot|` +
  String.raw`Gebäude|Hauseingang|Eingang|Hoftor|Kellertür|barn|cottage|cabin|hotel|hostel|parking|basement|bike room|storage|` +
  String.raw`suitcase|shed|cabinet|boot room|alarma|alarme|allarme|portal|portail|porte|puerta|porta|portone|cancello|` +
  String.raw`garaje|caja fuerte|coffre|cassaforte|cofre|` +
  String.raw`Alarmanlage|Alarm|Tür|Haustür|Tor|Tresor|Safe|Garage|Zahlenschloss|Fahrradschloss|Schließfach|Spind|Schlüsseltresor|` +
  String.raw`Schlüsselbox|Schlüsselkasten|Koffer|valise|maleta|valigia|Schlüsselsafe|deur|poort|kluis|alarmet)`
const codes =
  String.raw`(?:(?:access |entry |pin |security |key ?pad |unlock )?codes?|combination|combo|pin|passcode|key ?pad|código|` +
  String.raw`codice|cifra|cijfercode|kombination|zahlenkombination|zugangscode|code-?pin)`
/** A code of digits with a letter among them: 47B12, C4719. */
const lettered = String.raw`(?<secret>[#*]?(?:[A-Z]\d{3,6}|\d{1,5}[A-Z]\d{1,5}|\d{3,6}[A-Z])[#*]?)${end}`
const hasThreeDigits = (secret: string): boolean => (secret.match(/\d/g)?.length ?? 0) >= 3 && !/^\d\d?[hx]\d/i.test(secret)

const pad =
  String.raw`(?:the|dem|der|das|die|le|la|el|il|lo|het|o|a|my|our)\s(?:[A-Za-zÀ-ɏ]{1,12}\s){0,2}?(?:key ?pad|panel|number ?pad|` +
  String.raw`intercom|pad|` +
  String.raw`lock|dial|tastenfeld|tastatur|ziffernblock|clavier|digicode|interphone|teclado|tastierino|tastiera|citofono|` +
  String.raw`toetsenpaneel|klavier)`

const doors: readonly Pattern[] = [
  // get in with C4719 on the keypad · punch in 4471 at the panel
  {
    label: 'code',
    trace: /pad|panel|intercom|lock|dial|tast|ziffern|clavi|digicode|interphone|teclado|citofono|toetsen/i,
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:with|using|via|by|type|enter|press|punch(?: in)?|buzz|key in|dial|tap(?: in)?|use|code|put in|tipp\w{0,2}|mit|` +
        String.raw`gib|drück\w{0,2}|` +
        String.raw`tape[rz]?|avec|compose[rz]?|con|marc\w{1,3}|teclea|pulsa|digita\w{0,2}|premi|com|met|toets)\s(?:the (?:code|` +
        String.raw`number)\s|code\s)?`,
      String.raw`(?<secret>[#*]?(?:\d(?:[ -]?\d){2,9}|[A-Z]\d{3,6}|\d{1,5}[A-Z]\d{1,5}|\d{3,6}[A-Z])[#*]?),?\s(?:on|at|into|in|to|` +
        String.raw`am|ins?|auf|an|` +
        String.raw`sur|dans|à|en|su|sul|sulla|al|no|na|op)\s(?:${pad}|(?:am|ins|sul|sulla|al|no|` +
        String.raw`na)\s(?:[A-Za-zÀ-ɏ]{1,12}\s)?[A-Za-zÀ-ɏ]{4,16})`,
    ),
    isSecret: hasThreeDigits,
  },
  // use 4471 to get in
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:use|enter|type|code|with)\s(?<secret>[#*]?\d{3,8}[#*]?)\s(?:to|and)\s(?:[A-Za-z]{1,10}\s)?(?:(?:get|go|come|` +
        String.raw`let yourself)\s(?:in|inside)\b|`,
      String.raw`(?:open|unlock)\s(?:the|my|our)\s)`,
    ),
  },
  // press 4471# at the gate
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:press|type|enter|buzz|punch(?: in)?|key in|tap|use|tippe|drücke|tapez|pulsa|digita|toets)\s(?:the code\s|code\s)?`,
      String.raw`(?<secret>\d{3,8}[#*]|[#*]\d{3,8}(?![#*]))(?!\w)`,
    ),
  },
  // the alarm wants 4471 · the key box has the code 4471
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:(?:alarm(?: system| panel)?|key ?pad|lock|pad ?lock|lock ?box|safe|panel|alarmanlage|tresor|schloss)\s(?:wants|` +
        String.raw`needs|takes|asks for|` +
        String.raw`expects|code is|will|braucht)|${things}\s(?:has|hat|have|tiene|ha|tem|heeft|a)\s(?:(?:the|den|el|il|o|le|de|` +
        String.raw`a)\s)?${codes})`,
      sign,
      digits(4, 10),
    ),
    isSecret: isCodeNumber,
  },
  // the lockbox by the side door, code 0451
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      things,
      String.raw`(?![A-Za-zÀ-ɏ])[^.\n]{0,40}?[,;:(–—-]\s?(?:(?:and|the|its?|with|der|le|el|il|de|o|mit)\s){0,2}`,
      otherCodes,
      codes,
      String.raw`(?![A-Za-zÀ-ɏ])(?:\s(?:is|ist|est|es|è|é))?`,
      sign,
      digits(3, 10),
    ),
    isSecret: isCodeNumber,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      things,
      String.raw`(?![A-Za-zÀ-ɏ])`,
      filler(3),
      String.raw`\s?[:：=]?\s`,
      String.raw`(?<secret>\d{3,8}[#*]|[#*]\d{3,8}[#*]?)(?![\w])`,
    ),
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:${things}(?:['’]?s)?[ _-]?(?:[A-Za-zÀ-ɏ]{1,12} )?${codes}|${codes}\s(?:for|to|of|on|at|für|vom|zum|zur|an|am|` +
        String.raw`del?|du|da|do|di|della|van)?\s?` +
        String.raw`(?:(?:the|la|le|el|il|der|die|das|den|dem|het|de|l['’])\s?)?(?:[A-Za-zÀ-ɏ]{1,12}\s)?(?:d?[l]['’])?${things}|` +
        String.raw`digicode|door code|code de porte)(?![A-Za-zÀ-ɏ])`,
      filler(4),
      sign,
      lettered,
    ),
    isSecret: hasThreeDigits,
  },
  {
    label: 'code',
    pattern: patternOf('i', wordStart, String.raw`(?:gate|door|tür|tor)\s?[:：=]\s?`, String.raw`(?<secret>[#*]\d{3,8}|\d{3,8}[#*])`),
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      String.raw`(?:bike|gym|luggage|suitcase|combination|fahrrad) ?-?(?:lock|schloss)\s?(?:[:=]|is|ist)?\s`,
      digits(3, 6),
    ),
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      things,
      String.raw`(?:['’]?s)?[ _-]?(?:[A-Za-zÀ-ɏ]{1,12} ){0,1}`,
      codes,
      String.raw`(?![A-Za-zÀ-ɏ])`,
      filler(6),
      sign,
      String.raw`(?:[#*]\s?)?`,
      digits(3, 10),
    ),
    isSecret: isCodeNumber,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      codes,
      String.raw`\s(?:for|to|of|on|at|for the|für|vom|zum|zur|an|am|bei|beim|del?|de la|du|da|do|di|della|` +
        String.raw`van)\s(?:l['’])?(?:[A-Za-zÀ-ɏ]{1,16}[ ]){0,4}?(?:[ld]['’])?`,
      things,
      String.raw`(?![A-Za-zÀ-ɏ])`,
      filler(5),
      sign,
      String.raw`(?:[#*]\s?)?`,
      digits(3, 10),
    ),
    isSecret: isCodeNumber,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:code|código|codice)\s(?:de |d['’]|del |della |dell['’]|do |da )?(?:la |l['’])?`,
      things,
      filler(4),
      sign,
      digits(3, 10),
    ),
    isSecret: isCodeNumber,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      things,
      String.raw`[^.\d\n]{0,40}?\b(?:opens?|gaat open|s['’]ouvre|se abre|si apre|unlocks?|code|disarms?|combination|geht|öffnet|` +
        String.raw`aufgeht)\b(?:\s(?:is|with|by|using|mit|auf|met|avec|con|com|` +
        String.raw`the|code|pin|der|dem|zahl)){1,4}`,
      sign,
      digits(3, 10),
    ),
    isSecret: isCodeNumber,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:disarm|(?:set|arm) (?:the )?alarm|unlock|open|deactivate|entsperre?|` +
        String.raw`öffne)\b(?:\s[A-Za-zÀ-ɏ]{1,14}){0,4}?(?:\s?[:=]|\s(?:with|using|by|mit|con|` +
        String.raw`avec))(?:\s(?:the|code|pin|dem))?`,
      sign,
      digits(4, 10),
    ),
    isSecret: isCodeNumber,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      String.raw`(?:pad ?lock|bike lock|combination lock|schloss|suitcase|luggage lock|safe)\b(?:\s[A-Za-zÀ-ɏ]{1,14}){0,3}?\s(?:set|` +
        String.raw`programmed|eingestellt|steht|is)\s(?:to|as|auf|at)`,
      sign,
      digits(3, 8),
    ),
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:alarm|key ?pad|lock ?box|key ?safe|safe|` + String.raw`tresor)(?: code)?\s?[:：=]\s?`,
      digits(4, 10),
    ),
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      String.raw`(?:alarm|tür|tor|haus|garagen|tresor|safe|schloss|spind|schließfach|schlüsselbox|zugangs|eingangs|digi|deur|poort|` +
        String.raw`kluis)-?(?:code|kombination|pin|nummer|zahl)(?![A-Za-zÀ-ɏ])`,
      filler(5),
      sign,
      String.raw`(?<secret>[#*]?(?=[A-Z]{0,3}\d)[A-Z0-9](?:[ -]?[A-Z0-9]){2,9}[#*]?)${end}`,
    ),
    isSecret: (secret) => (secret.match(/\d/g)?.length ?? 0) >= 3,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      String.raw`(?:门禁|门锁|大门|保险箱|保险柜|报警|警报|车库|玄関|金庫|ドア|アラーム)[^\x00-\x7f\s，。、]{0,6}(?:密码|代码|コード|番号)?\s?(?:是|为|は|が|[:：=])\s?`,
      String.raw`(?<secret>[#*]?\d{3,10}[#*]?)(?!\d)`,
    ),
  },
]

const turn =
  String.raw`(?:left|right|links|rechts|gauche|droite|izquierda|derecha|sinistra|destra|esquerda|direita|` +
  String.raw`(?:anti-?|counter-?)?clockwise|(?<![A-Za-z])[LR](?![A-Za-z]))`
const to =
  String.raw`(?:\s(?:to|till?|until|at|auf|bis|zu|à|a|hasta|até|fino a|tot|naar|op|past|twice to|once to|` +
  String.raw`again to)){0,2}[\s:=]{0,2}`
const turnTo = String.raw`(?:${turn}${to}\d{1,2}(?!\d)|\d{1,2}\s?(?:to the |nach |à |a la |a |naar )?${turn})`
const between = String.raw`(?:[\s,;.>→–—/-]{1,5}|,?\s(?:then|and|and then|dann|und|puis|et|y|luego|poi|e|depois|dan|en)\s)`

/** Words that say that a combination of numbers opens something. */
const lockWords =
  /safe|lock|vault|combin|combo|dial|tresor|schloss|spind|coffre|cadenas|caja fuerte|candado|cassaforte|lucchetto|cofre|cadeado|kluis|slot/i
const nearLock = (_: string, { input, index, 0: whole }: RegExpExecArray): boolean =>
  lockWords.test(input.slice(Math.max(0, index - 100), index + whole.length + 100))

/** Combinations: turns to the left and to the right, and numbers of one or two digits. */
const combinations: readonly Pattern[] = [
  {
    label: 'code',
    pattern: patternOf('i', String.raw`(?<![A-Za-z0-9])(?<secret>${turnTo}(?:${between}${turnTo}){2,5})(?![A-Za-z0-9])`),
    isSecret: nearLock,
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:combination|combo|kombination|zahlenkombination|combinaison|combinación|combinazione|combinação|combinatie|` +
        String.raw`safe|vault|tresor|` +
        String.raw`cassaforte|coffre(?:-fort)?|caja fuerte|cofre|kluis|pad ?lock|locker|cadenas|candado|lucchetto|cadeado|` +
        String.raw`hangslot)(?![A-Za-zÀ-ɏ])`,
      filler(5),
      sign,
      String.raw`(?<secret>\d{1,2}(?:(?:\s?[/–→>-]\s?|\s(?:then|dann|puis|luego|poi|dan)\s)\d{1,2}){2,4})${end}`,
    ),
    isSecret: (secret, match) => nearLock(secret, match) && isNoDate(secret) && !/^\d\d?[/-]\d\d?[/-](?:19|20)\d\d/.test(secret),
  },
  {
    label: 'code',
    pattern: patternOf(
      'i',
      wordStart,
      String.raw`(?:combination|combo|kombination|zahlenkombination|combinaison|combinación|combinazione|combinação|` +
        String.raw`combinatie)(?![A-Za-zÀ-ɏ])`,
      filler(5),
      String.raw`(?:\s?[:=→]\s?|\s(?:is|are|ist|es|est|è|é)\s)(?<secret>\d{1,2}(?:,?\s\d{1,2}){2,4})${end}`,
    ),
    isSecret: nearLock,
  },
]

/** Codes of doors, by the words without which there is none. */
export const doorCodes: readonly PatternGroup[] = [
  {
    words: (
      'code|código|codice|combo|combination|kombination| pin|-pin|pin"|passcode|keypad|key pad|key_pad|zahl|コード|alarm|lock|' +
      'schloss|safe|gate|door|tür|tor|' +
      'disarm|deactivate|press|type|enter|buzz|punch|wants|needs|takes|öffn|opens|panel|intercom|get in|go in|come in|gaat ' +
      'open|kluis|cijfer|digita|clavier|teclado|tastier|toets|cifra|门|保险|玄関|金庫|ドア'
    ).split('|'),
    patterns: doors,
  },
]

/** Combinations of locks. Their numbers may be short and far apart. */
export const lockCombinations: readonly PatternGroup[] = [
  {
    words: (
      'left|links|gauche|izquierda|sinistra|esquerda|clockwise|l1|l2|l3|l4|l5|l6|l7|l8|l9|r1|r2|r3|r4|l 1|r 1|combin|combo|' +
      'kombination|safe|vault|tresor|' +
      'cassaforte|coffre|caja fuerte|cofre|kluis|lock|cadenas|candado|lucchetto|cadeado|hangslot'
    ).split('|'),
    patterns: combinations,
  },
]
