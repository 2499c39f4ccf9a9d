import { wordSet } from '../../word-lists.ts'

/** Given names, in lower case, that are rarely any other word. */
export const givenNames = wordSet(`aaron abby abigail abdul abdullah adam adele adrian adrien agata agnes ahmed aidan aisha alan albert
  alejandro alessandro alessia alex alexander alexandra alexis alfie alfred ali alice alicia alina alison allison alma amanda amara amelia
  amelie amina amir amit amy ana anastasia anders andrea andreas andrei andrew andy angela anika anita anja ann anna anne annie annika anton
  antonia antonio anya archie ariana arjun arthur arun asha ashley astrid audrey aurelia ava axel ayesha barbara bart bastian beatrice becca
  becky ben benjamin bernard bernd bertha beth bethany betty birgit bjorn bob bobby boris brad brandon brenda brendan brian brianna bridget
  britta bruno bryan caleb callum cameron camilla camille carl carla carlos carly carmen carolina caroline cassandra cassie catherine cathy
  cecilia cedric celine chantal charles charlie charlotte chen chiara chidi chiara chloe chris christina christine christoph christopher
  ciara claire clara clare claudia clemens cody colin conor connor craig cristina cynthia damian dan daniel daniela danielle danny darren
  dave david deborah debbie declan delphine denis denise dennis derek diana diego dieter dimitri dirk dmitri dominic dominik donald donna
  doris dorothy doug douglas duncan dylan eddie edda edgar edith edward eileen elaine eleanor elena eli elias elisa elisabeth elizabeth ella
  ellen ellie elliot elsa emeka emil emilia emilie emily emma enrique eric erica erik erika erin ernst esther ethan eugene eva evan evelyn
  ezra fabian farah fatima felix fernando finn fiona florian frances francesca francesco francis frankie franz fred freddie frederick
  frederik freya frida frieda friedrich gabriel gabriela gareth gary gavin gemma geoff george georgia georgina gerald gerard gerd gillian
  gina giorgio giovanni giulia gloria gordon graham greg gregor gregory greta gudrun guillaume gunnar gustav hamza hanna hannah hannes hans
  harold harriet harry hasan hassan heidi heike heinz helen helena helga henrik henry herbert hilary holger holly howard hugh hugo ian
  ibrahim ida igor ilse imogen ines ingrid irene irina isaac isabel isabella isabelle isla ivan ivar ivana izzy jackie jacob jacques jake
  jakob jamal james jamie jan jana jane janet janine jared jasmin jasmine jason javier jeanette jeff jeffrey jen jenna jennifer jenny jens
  jeremy jerome jess jesse jessica jessie jill jim jimmy jo joachim joan joanna joanne joe joel johan johanna johannes john johnny jolene
  jon jonah jonas jonathan jordan jorge jose josef joseph josephine joshua josie juan judith judy julia julian juliana julie juliet jurgen
  justin justine kai kaitlyn karen karin karl karolina kasia kate katharina katherine kathleen kathrin kathy katie katja katrin katy kayla
  keith kelly ken kenneth kerry kerstin kevin khadija kieran kim kirsten kirsty klaus konrad kristen kristin kristina kurt kyle lara larry
  lars laszlo laura lauren lea leah leila lena leni leo leon leonard leonie leroy leslie levi lewis liam lina linda lindsay lisa liz lizzie
  lorenzo lorna louis louisa louise luca lucas lucia lucie lucy luis luisa lukas luke lydia lynn mabel maddie madeleine madison magda
  magdalena maggie maja malcolm malik manuel manuela marc marcel marco marcus marek margaret margarita margot maria mariam marianne marie
  marina mario marion marius marjorie marlene marlon marta martha martin martina marvin mary maryam mateo mathias mathilda matilda matt
  matteo matthew matthias maureen maurice mauricio maximilian maya megan mehmet mei melanie melissa mia micah michael michaela michal
  michelle miguel mike mila milan milena millie milo mira miranda miriam mitch mohamed mohammed moira molly mona monica monika moritz
  muhammad muriel nadia nadine nancy naomi natalia natalie natasha nathan nathaniel neil nele nelly ngozi niamh nicholas nicola nicolas
  nicole nigel nikhil niklas nikolai nils nina noah noel noelle nora norbert norman ole oleg oliver olivia olga omar orla oscar oskar otto
  owen pablo paige paolo pascal patricia patrick patrik paul paula paulina pauline pavel pedro peggy penelope percy peter petra phil
  philip philipp philippa phillip phoebe pia pierre piet piotr priya rachel rafael rahul raj ralf ralph ramon raphael raquel rashid raymond
  rebecca reinhard renata rene rhys ricardo richard rick ricky rita robert roberta roberto roger roland rolf ron ronald ronnie rory rosa
  rosalie rosie ross roxanne ruben rudolf rupert russell ruth ryan sabine sabrina sally salma sam samantha samir samira samuel sandra sanjay
  sara sarah sascha saskia scott sean sebastian selina serena sergei sergio seth shannon sharon shaun sheila shirley silke silvia simon
  simone sinead siobhan sofia sofie solveig sonia sonja sophia sophie stefan stefanie stella steph stephan stephanie stephen steve steven
  stuart suki sunita susan susanna susanne suzanne suzie svea sven svenja svetlana sylvia sylvie tabea tamara tamsin tanja tanya tara tariq
  tatiana ted teresa terry tess tessa thea theo theodor theresa theresia thomas thorsten tiago tim timo timothy tina tobias toby todd tom
  tomas tommy tony tracy trevor tristan trudy tyler ulrich ulrike uma ursula ute uwe valentina valerie vanessa vera veronica veronika vicky
  victor victoria vikram viktor vincent vivian vivienne vladimir walter wanda wendy werner wesley wilhelm willem william wolfgang xavier
  yannick yasmin yusuf yvette yvonne zach zachary zara zoe zoey zofia aoife ciaran frieke gretel hilde jette jorg jörg kaia katinka liesel
  lotta lotte ludwig maeve magnus malin marit merle mads niall nuala oisin orlaith piotrek ragnar roisin runa rune signe sigrid sorcha
  swantje tuva wiebke wojtek yara yuki zeynep björn jürgen søren sören chloé zoë rené andré léa josé maría sofía renée`)

/** Given names, in lower case, that are common words too. They count as names only where the words around them ask for a name. */
export const wordsAndNames = wordSet(`eve rob carol frank jean roman christian heather hazel amber angel art autumn bailey basil bella
  bill blake bonnie brad brook brooke buddy candy chad chance charity charm chase chuck cliff coco cookie crystal daisy dale dawn dean
  destiny dick dolly don drew earl faith felicity fern flora forest gene ginger glen glenn goldie grace grant guy harmony heath holly
  homer honey hope hunter iris ivy jack jade jasper jay jerry jewel jock josh joy june kit lance lily lola luna mark mason max may melody
  merry miles misty morgan nick nova olive oreo parker pat pearl pepper perry piers pip pixel pixie poppy precious pumpkin ray rex rich
  river robin rocky rose rosemary rowan royal ruby rusty sandy scarlett shadow sky skye smokey snowy star sterling stormy sue summer sunny
  teddy tiger tiffany tilly tucker violet wade ward whiskers will willow winnie winston biscuit bruce bosun felix simba nala toffee
  mittens socks ziggy`)

/** Tells whether a word, in any case, is a given name. It may be a common word too. */
export function isGiven(name: string): boolean {
  return givenNames.has(name.toLowerCase()) || wordsAndNames.has(name.toLowerCase())
}

/** Towns and countries, in lower case, that are rarely any other word. */
export const knownPlaces = wordSet(`aachen aarhus aberdeen accra adelaide afghanistan africa albania alberta alabama alaska alexandria
  algeria algiers alicante alsace america amman amsterdam andalusia ankara antwerp argentina arizona arkansas armenia asia athens atlanta
  auckland augsburg austin australia austria azerbaijan baghdad bahrain bali baltimore bangalore bangkok bangladesh barcelona basel basra
  bavaria beijing beirut belarus belfast belgium belgrade bergen berkeley berlin bern bielefeld bilbao birmingham bochum bogota bolivia
  bologna bolton bonn bordeaux bosnia boston brandenburg bratislava brazil bremen brighton brisbane bristol brittany britain brno brooklyn
  brussels bucharest budapest bulgaria burma burundi cairo calgary california cambodia cambridge cameroon canada canberra cardiff carlisle
  catalonia charlottesville chelmsford cheltenham chemnitz chennai chester chicago chile china cincinnati cleveland cologne colombia
  colorado columbus connecticut copenhagen corsica cornwall coventry crete croatia cuba cumbria cyprus czechia dakar dallas damascus
  darmstadt delhi denmark denver derry detroit devon dhaka dijon doha dorset dortmund dresden dubai dublin dubrovnik duisburg dundee durban
  durham dusseldorf düsseldorf ecuador edinburgh edmonton egypt eindhoven england erfurt essex estonia ethiopia europe exeter finland
  flensburg florence florida france frankfurt freiburg galway gdansk geneva genoa georgia germany ghana ghent gibraltar giessen glasgow
  gloucester goa gothenburg göttingen granada graz greece greenland grenoble groningen guatemala guildford gujarat hackney haifa halifax
  hamburg hampshire hanoi hanover hannover harrogate havana hawaii headingley heidelberg helsinki hesse hiroshima honduras houston hove
  huddersfield hungary hyderabad iceland idaho illinois india indiana indonesia innsbruck inverness iowa ipswich iran iraq ireland islington
  israel istanbul italy jakarta jamaica japan jena jersey jerusalem johannesburg jordan kansas karachi karlsruhe kassel kathmandu kazakhstan
  kent kentucky kenya kiel kiev klagenfurt konstanz korea kosovo krakow kuwait kyiv kyoto lagos lahore lancaster laos latvia lausanne
  lebanon leeds leicester leiden leipzig lille lima limerick lincoln linz lisbon lithuania liverpool ljubljana lodz london louisiana luton
  luxembourg luzern lübeck lyon madagascar madrid magdeburg mainz malaga malawi malaysia malmö malmo malta manchester manhattan manila
  mannheim marburg marrakech marseille maryland massachusetts mauritius melbourne memphis mexico miami michigan middlesbrough milan
  milwaukee minneapolis minnesota minsk mississippi missouri moldova monaco mongolia montana montenegro montpellier montreal morocco moscow
  mozambique mumbai munich münchen münster muenster myanmar nagoya nairobi namibia nantes naples nashville nebraska nepal netherlands nevada
  newcastle nicaragua nicosia nigeria nijmegen norfolk normandy northampton northumberland norway norwich nottingham nuremberg nürnberg
  odessa ohio oklahoma oldenburg oldham ontario oregon orlando osaka oslo osnabrück ottawa oxford pakistan palermo palestine panama paraguay
  paris pennsylvania perth peru philadelphia philippines phoenix pisa pittsburgh plymouth poland porto portland portsmouth portugal potsdam
  poznan prague preston pretoria provence prussia qatar quebec queensland regensburg reims rennes reykjavik rhodes riga romania rome rostock
  rotterdam rouen russia rwanda saarbrücken salford salzburg sarajevo sardinia saskatchewan saudi saxony scotland seattle selby senegal
  seoul serbia seville shanghai sheffield shrewsbury siberia sicily siena singapore slovakia slovenia sofia somalia somerset southampton
  spain stavanger stockholm stockport stoke strasbourg stuttgart sudan suffolk sunderland surrey sussex swansea sweden swindon switzerland
  sydney syria taipei taiwan tallinn tampa tampere tanzania tasmania tbilisi tehran tennessee texas thailand thuringia tirana tokyo toledo
  toronto toulouse trieste trier trondheim tromso tübingen tunis tunisia turin turkey turku tuscany uganda ukraine ulm uppsala uruguay utah
  utrecht uzbekistan vaduz valencia valletta vancouver venezuela venice vermont verona vienna vietnam vilnius virginia wakefield wales
  warsaw warwick washington weimar wellington westminster wiesbaden wigan wiltshire winchester wisconsin wolverhampton worcester wuppertal
  würzburg wyoming yemen york yorkshire zagreb zambia zanzibar zaragoza zimbabwe zurich zürich`)

/** First words of the names of towns and countries that have more than one. */
export const placePrefixes = wordSet(`new san santa los las el la st saint north south east west northern southern eastern western central
  upper lower great greater port fort cape bad den rio buenos tel abu hong kuala sri saudi united costa puerto sierra ho stoke milton
  kings notting camden covent crystal salt kansas mexico palo santa baden frankfurt`)

/** Words after `live in` and the like that are no place's name. */
export const noPlaces = wordSet(`a an the my our your his her their its this that these those some any no one two three four what which
  where who it there here and or but not fear hope hell heaven peace harmony sin poverty squalor denial exile hiding comfort luxury
  isolation darkness misery town cities towns houses flats dorms dormitories accommodation student shared rented sheltered social council
  temporary constant fantasy dreamland reality interesting different separate opposite various many small big large tiny old modern rural
  urban suburban student students sweatpants jeans pyjamas pajamas leggings hoodies trainers shorts pain agony chaos silence terror dread
  worry debt shame guilt love bliss joy sync symbiosis filth dirt captivity hiding housing prison jail care limbo squats hostels hotels
  tents vans cars caravans boats trees caves castles halls hall hospital school college uni university church bed bedrooms home homes
  bubble bubbles clover style tune shifts touch line debts accordance awe anticipation bondage bits pieces layers pairs groups flux
  transit motion tandem sympathy cycles seasons moments memories clothes dresses skirts boots slippers black denim flannel socks
  flip-flops crocs uniform sunny beautiful lovely rainy gorgeous boring cold grey gray cloudy wonderful amazing little nearby dreams
  secret secrecy solitude freedom safety danger close walking downtown uptown inner outer remote nowhere everywhere somewhere anywhere
  countryside suburbia academia industry tech python java vim emacs excel vscode slack figma notion jira terminals tmux docker kubernetes
  linux windows general particular between perpetual total complete utter relative absolute full part eternal endless permanent
  permanently nature public private january february march april may june july august september october november december spring summer
  autumn winter hindsight theory practice utopia times fairly quite very such so too really marketing sales finance engineering design
  legal hr support accounting operations research purchasing logistics production staging prod management consulting tears decaf tabs
  spaces upstairs downstairs abroad overseas nights mornings days evenings work bigger smaller better newer`)

/** Words after `work at` and the like that are no firm. */
export const noFirms = wordSet(`a an the my our your his her their its this that these those some any no one two three four five six seven
  eight nine ten what which where who it there here and or but not night nights day days weekends weekend home homes school schools
  university uni college hospital church sea height heights speed scale length once first last least most best present times noon midnight
  dawn dusk peace war will ease free fun money peanuts myself himself herself themselves ourselves me him them us you people clients
  customers companies charity charities hours minutes weeks months years exposure tips pay food rent love nothing everyone anyone
  everybody somebody someone cash pennies fast slow both several many multiple different various large small big startups agencies men
  women kids children students government governments industry tech reasons now long breakfast lunch dinner christmas easter all another
  other itself sure something anything everything half double full maximum minimum capacity pace random will christmas pleasure business
  businesses family friends nobody`)

/** Names that are written in capitals. */
export const initials = wordSet('nhs bbc ibm nasa sap bmw dhl kpmg pwc ikea uk usa uae eu mit ucl lse eth tu kfc')

/** Words in the place of a name that are none: `my name is on the list`, `my sister always works`. */
export const noCalling = wordSet(`a an the my our your his her their its this that these those some any no one what which where who it there
  here and or but not now then too also just only still always often never usually sometimes really actually already currently even both
  either today yesterday tomorrow tonight again soon back later maybe mud hard easy long short weird common rare unusual difficult spelled
  spelt pronounced wrong misspelled missing listed unknown secret private same different on in off up out at to for by from of with as if so
  very quite pretty too irrelevant being taken nothing none crazy old whatever anything something when asap please pls anytime names upon
  boss dad mum mom mother father mate dude bro man sir madam sweet lovely nice great good bad fine ok okay sick ill dead gone away home late
  early happy sad tired mad busy free here coming going getting doing having making working living looking visiting in-law law himself
  herself myself apparently probably perhaps once ever likes loves hates has is was were lives works said says thinks wants needs who that
  because recently tongue figure ship board language company group team name surname birthday wedding house school phone car`)
