/**
 * Documents and questions by which the least score of `recollect` was set. They are in no data set, and by design no
 * question has its answer's words.
 */
export const documents: Readonly<Record<string, string>> = {
  Bakery:
    '# Prices\n- rye bread: 4.20 a loaf\n- walnut rolls: 1.10 each\n\n# Staff\n- Jonas bakes at night, Ilse sells from six\n- ' +
    'the apprentice starts in August\n\n# Suppliers\n- flour comes from the mill in Husby every second Tuesday\n',
  'Sailing boat':
    '- The boat is a Folkboat built in 1968, hull number 712.\n- The mast was replaced after the storm in October.\n- She is ' +
    'moored at the east jetty, berth 14.\n- Insurance runs until the end of May.\n',
  'Diabetes of Uncle Per':
    '- Per takes insulin before breakfast and dinner.\n- His doctor is Dr Sandberg at the clinic in Visby.\n- He may not eat ' +
    'grapefruit with his pills.\n',
  'Kitchen renovation':
    '# Plan\n- The oak worktop was ordered from Lindqvist, delivery in week 12.\n- The electrician moves the sockets on 3 ' +
    'March.\n\n# Budget\n- 18,000 in all, of which 6,500 are spent\n- the tiles were cheaper than thought\n',
  'Payments service':
    '# Decisions\n- All amounts are stored as integers of cents.\n- Retries use the idempotency key of the order.\n- We ' +
    'decided against a message queue for refunds.\n\n# Operations\n- Deploys happen on Tuesdays after the smoke tests.\n- The ' +
    'database is PostgreSQL 16 on the host kestrel.\n',
  Mira:
    '- Mira turned seven in June and goes to the Montessori school.\n- She is allergic to peanuts.\n- She plays the cello, ' +
    'lessons are on Thursdays with Mrs Ahlgren.\n',
  'Trip to Lisbon':
    '- We fly on 9 September and come back on the 16th.\n- The flat is in Alfama, the landlady is called Graça.\n- The tram 28 ' +
    'tickets are bought in advance.\n- Bring the adapter and the sun hats.\n',
  'Marathon training':
    '- Long runs are on Sundays, 24 km at present.\n- The left knee hurts after downhill stretches; the physiotherapist ' +
    'advised cycling.\n- The goal is under four hours in Berlin.\n',
  'Allotment garden':
    '- Tomatoes are sown indoors in March.\n- The water is turned off from November to April.\n- Slugs were kept away with ' +
    'copper tape.\n- The rent of 95 is due in January.\n',
  'Company car':
    '- The leasing ends in 2027, with 30,000 km a year.\n- Winter tyres are stored at the garage Holm.\n- The fuel card’s code ' +
    'is kept by Beate.\n',
  'Book club':
    '- We meet on the first Wednesday at Sven’s.\n- The next novel is The Leopard.\n- Nobody liked the one about the lighthouse.\n',
  'Hen house':
    '- Six hens lay about four eggs a day.\n- The fox came in through the north fence.\n- They get oyster shells for the calcium.\n',
}

/** Questions, each with the document that answers it. */
export const answered: readonly (readonly [question: string, document: string])[] = [
  ['What does a loaf of rye cost?', 'Bakery'],
  ['Who works the night shift?', 'Bakery'],
  ['Where does our flour come from?', 'Bakery'],
  ['When does the trainee begin?', 'Bakery'],
  ['Where is our yacht tied up?', 'Sailing boat'],
  ['How old is the boat?', 'Sailing boat'],
  ['What broke in the gale?', 'Sailing boat'],
  ['When do we have to renew the cover for the boat?', 'Sailing boat'],
  ['Which fruit is bad with his medicine?', 'Diabetes of Uncle Per'],
  ['Who is Per’s physician?', 'Diabetes of Uncle Per'],
  ['insulin', 'Diabetes of Uncle Per'],
  ['How much money is left for the kitchen?', 'Kitchen renovation'],
  ['When is the wiring done?', 'Kitchen renovation'],
  ['Who delivers the countertop?', 'Kitchen renovation'],
  ['How do we represent money?', 'Payments service'],
  ['On which weekday do we release?', 'Payments service'],
  ['Which database do we use?', 'Payments service'],
  ['Why are there no duplicate charges?', 'Payments service'],
  ['What may Mira not eat?', 'Mira'],
  ['Which instrument is she learning?', 'Mira'],
  ['How old is Mira?', 'Mira'],
  ['When are we back from Portugal?', 'Trip to Lisbon'],
  ['Who rents us the apartment?', 'Trip to Lisbon'],
  ['What must we pack?', 'Trip to Lisbon'],
  ['How far do I run at weekends?', 'Marathon training'],
  ['What did the therapist say about my knee?', 'Marathon training'],
  ['What time am I aiming for in the race?', 'Marathon training'],
  ['What helps against snails?', 'Allotment garden'],
  ['When do I plant tomatoes?', 'Allotment garden'],
  ['How much is the lease of the plot?', 'Allotment garden'],
  ['Where are the snow tyres?', 'Company car'],
  ['How many kilometres may we drive?', 'Company car'],
  ['When is the next reading group?', 'Book club'],
  ['What are we reading next?', 'Book club'],
  ['How did the predator get to the chickens?', 'Hen house'],
  ['How many eggs do we get?', 'Hen house'],
]

/** Questions that have nothing to do with the documents. */
export const unanswered: readonly string[] = [
  'What is the capital of Mongolia?',
  'Explain quantum entanglement.',
  'Translate good morning into Japanese.',
  'Who won the world cup in 1998?',
  'Write a poem about autumn leaves.',
  'What is the square root of 1764?',
  'How do I reset my password?',
  'What did the lawyer say about the divorce?',
  'When is the dentist appointment?',
  'What was the name of the plumber?',
  'How high is the mortgage rate?',
  'Which laptop did we order for Tom?',
  'What is the wifi code of the office?',
  'Does grandmother like opera?',
  'Who designed the logo?',
  'Which vaccine does the dog need?',
  'How long do penguins live?',
  'What does the fine for speeding come to?',
  'Sort this list of integers in Rust.',
  'Tell me a joke.',
  'thanks, that was all',
  'Which wine goes with venison?',
  'What happened at the shareholders’ meeting?',
  'Who is the new chancellor?',
  'How many tentacles has a squid?',
  'Which chess opening did Magnus play?',
  'Is the swimming pool heated?',
  'What is the tax number of the foundation?',
  'When does the concert at the arena begin?',
  'Why is the sky blue?',
]
