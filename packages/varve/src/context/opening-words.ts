/** The words of one language with which people begin a conversation without naming a matter. */
export interface OpeningWords {
  /** Words that name no matter, folded. In scripts without spaces: pieces of text. */
  readonly words: string
  /** Phrases that ask for the past or for the person, folded. They open a context in the middle of a conversation too. */
  readonly asksBack: readonly string[]
  /** Set phrases whose words would name a matter elsewhere, folded. */
  readonly phrases?: readonly string[]
  /** Whom a greeting speaks to: these words name nobody after one of `greetings`, at the end. */
  readonly addressees?: string
  readonly greetings?: string
}

/**
 * Short lists of our own. The published stop words hold matters too: English ones have "rooms", "number" and "system".
 * A word that is not listed names a matter.
 */
export const openingWords: readonly OpeningWords[] = [
  {
    words: `hello hi hiya hey yo sup howdy greetings welcome good morning afternoon evening day night nice to see meet you
      your yours yourself again back here there i i'm i've i'd i'll me my mine myself we we're we've us our am are
      is was were be been being do does did done have had has who who's whom what what's whats which where where's
      when how how's why that that's this it it's so well ok okay now then and or but if about of for from on in at
      with up off out down over know knew remember recall think thought tell say said told remind give let let's
      lets can could will would shall should may please just still yet ever everything anything something nothing
      all any some else more far last next time times thing things previous earlier before ago long no not yes yeah
      yep the a an continue continued go going carry keep resume proceed pick start started begin leave left stop
      stopped yesterday talk talked talking speak speaking spoke discuss discussed discussing chat chatted chatting
      conversation conversations session sessions catch recap summary summarise summarize quick short brief new
      today update updates help need thanks thank assist ready want like heya oi gday g'day hullo helo hallo ello gm gn
      wassup whassup wazzup salutations alright right glad lol haha hehe ok okey u ur r ya ye yous im ive whats whos wheres
      hows thats its youre dont where'd who'd how'd d'you d'ya wat wot abt pls plz thx ta cheers tho get got anyone anybody
      someone somebody`,
    asksBack: [
      'who am i',
      'who i am',
      'remember me',
      'remember about me',
      'remember anything',
      'remember us',
      'know about me',
      'know me',
      'where were we',
      'we left off',
      'we leave off',
      'where we stopped',
      'last time',
      'previous conversation',
      'last conversation',
      'catch me up',
      'recap',
      'my name',
      'know abt me',
      'we get to',
    ],
    phrases: [
      'my name',
      'are you doing',
      'r u doing',
      'you doing',
      'ya doing',
      'u doing',
      'ya keeping',
      'ye keeping',
      'you keeping',
      'the craic',
      'how are things',
      'hows tricks',
      "how's tricks",
      'guess who',
      'guess whos back',
      'a while',
      'a minute',
      'a moment',
      'a sec',
      'a second',
      'get going',
      'crack on',
      'anybody home',
      'anyone home',
      'can you hear me',
      'is this thing on',
      'this is a test',
      'testing testing',
      'test test',
      'top of the morning',
      ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'new year', 'easter', 'weekend'].map(
        (time) => `happy ${time}`,
      ),
      'merry christmas',
    ],
    greetings: `hello hi hiya hey heya yo oi howdy hallo helo greetings welcome morning afternoon evening day g'day gday night there
      alright ok up you back again sup`,
    addressees: `mate mates dear buddy bud bot friend friends folks all everyone everybody stranger partner pal hun hon love lovely
      sir madam assistant ai robot dude bro man team chap fam sweetie darling gorgeous lads guys peeps m8 ji`,
  },
  {
    words: `hallo hi hey servus moin grüss grüezi schönen schön gott guten guter gute gut morgen tag abend mahlzeit ich
      bin's bin mich mir mein wir uns unser du dich dir dein sie ihnen es das da hier was wer wen wo wie wann warum
      weisst weiss wissen kennst kenne kennen erinnerst erinnern sag sage erzähl erzähle erzählen und oder aber an
      über für von zu mit bei in auf aus um noch schon mal nochmal wieder zurück stehen stehn besprochen gesprochen
      geredet stehengeblieben geblieben waren war sind ist haben habe hast hat gehabt aufgehört zuletzt letztes
      letzten letzte lass lasst weiter weitermachen machen geht's geht gehts weitergehen fortfahren fortsetzen bitte
      kannst können könntest so also nun jetzt alles etwas nichts denn eigentlich neu neues gibt's gibt helfen hilf
      hilfe brauche danke`,
    asksBack: ['wer bin ich', 'wer ich bin', 'an mich', 'über mich', 'kennst du mich', 'wo waren wir', 'aufgehört', 'letztes mal'],
  },
  {
    words: `bonjour bonsoir salut coucou allô rebonjour bon bonne jour journée soir c'est c'était ce ça je j'ai j'étais
      suis moi me m'as mon ma nous on tu te toi vous votre es êtes est étions était étaient en encore de du retour
      revoilà voilà là où que qu'on qui quoi comment quand sais savez sait sais-tu souviens souvenez rappelles
      rappelle rappelez connais connaissez dis dites raconte à au sur pour avec avions avons as ai arrêtés arrêté
      arrêtions continuons continuer continue reprenons reprendre reprends dernière fois la le les une un va vas
      allons peux peut-on pouvons s'il plaît plait et ou mais donc alors tout rien quelque chose neuf nouveau aide
      aider besoin merci`,
    asksBack: ['qui suis je', 'de moi', 'sur moi', 'où en étions nous', 'où en est on', 'dernière fois'],
  },
  {
    words: `hola buenas buenos días dias tardes noches qué que quién quien quiénes soy yo tú tu ti te a me mi mí nos
      nosotros de nuevo otra vez vuelvo vuelto volví he estoy aquí aqui sabes sabe sabéis conoces conoce acuerdas
      acuerda recuerdas recuerda cuéntame dime dónde donde estábamos estabamos quedamos quedábamos lo dejamos
      habíamos en por para con sobre acerca sigamos seguimos seguir continuemos continuamos continuar última ultima
      cómo como estás está va tal y o pero todo algo nada hay la el las los puedes podemos favor ayuda ayudarme
      gracias`,
    asksBack: ['quién soy', 'de mí', 'sobre mí', 'acuerdas de mí', 'me recuerdas', 'dónde lo dejamos', 'dónde estábamos', 'última vez'],
  },
  {
    words: `ciao salve buongiorno buonasera buon giorno sera di nuovo ancora sono io chi cosa che sai sapete conosci
      ricordi ricorda ti mi me te su per noi ci dove eravamo rimasti continuiamo riprendiamo ultima volta l'ultima
      come stai va tutto niente qualcosa e o ma a tornato tornata qui puoi aiutarmi aiuto grazie`,
    asksBack: ['chi sono', 'di me', 'dove eravamo', 'ultima volta'],
  },
  {
    words: `olá ola oi bom boa bem tudo dia tarde noite de novo outra vez voltei sou eu quem o que você voce tu sabe sabes
      conhece lembra lembras se te me mim sobre para por com nós nos onde paramos estávamos ficamos continuemos
      continuar vamos última ultima a como está vai nada algo e ou mas aqui pode ajudar ajuda obrigado obrigada`,
    asksBack: ['quem sou eu', 'de mim', 'sobre mim', 'onde paramos', 'onde estávamos', 'última vez'],
  },
  {
    words: `hallo hoi hey goedemorgen goedemiddag goedenavond goede goeden morgen middag avond dag daar hier ben ik er
      weer terug wie wat waar hoe weet weten ken je jij jou u mij me we wij ons nog herinner herinnert over van voor
      met waren was gebleven stopten laten verder gaan doorgaan vorige laatste keer is gaat het en of maar alles
      iets niets kun kan helpen hulp bedankt`,
    asksBack: ['wie ben ik', 'wie ik ben', 'over mij', 'ken je mij', 'waar waren we', 'vorige keer'],
  },
  {
    words: `привет здравствуй здравствуйте доброе добрый утро день вечер это снова опять я вернулся вернулась меня мне
      мной обо о мы нас нами ты тебя тебе вы вас кто что чём чем где как знаешь знаете помнишь помните расскажи
      скажи для про с на и или но всё все ещё еще остановились остановился закончили говорили продолжим продолжай
      давай прошлый последний раз дела у по же ли можешь помочь помоги спасибо`,
    asksBack: ['кто я', 'обо мне', 'меня помнишь', 'помнишь меня', 'где мы остановились', 'прошлый раз'],
  },
  {
    words: `你好 您好 早上好 早安 晚上好 下午好 嗨 我 我们 你 您 又 来了 回来了 是谁 谁 是 还 记得 知道 关于 什么 哪里
      哪儿 哪 到 上次 聊 说 谈 讲 了 吗 呢 的 在 继续 吧 我们继续 接着 请 再 一下 对 来说 和`,
    asksBack: ['我是谁', '记得我', '关于我', '我们上次', '上次聊'],
  },
  {
    words: `こんにちは こんばんは おはようございます おはよう やあ もしもし また 戻りました 戻った 私 僕 俺 わたし 私たち
      あなた は が を に の こと も と で へ 誰 だれ ですか です か 覚えて 覚え いますか います いる ますか て る
      知って 何 なに 前回 どこ まで 話しました 話した 話し 続け 続き 続けましょう ましょう しましょう ました た さん
      お願いします ね よ`,
    asksBack: ['私は誰', '私のこと', '僕のこと', '前回'],
  },
]
