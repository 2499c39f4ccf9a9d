import { keep, never, over, told, type KeptCase } from './kept-case.ts'

/** Sentences of several clauses, long messages with one fact among talk, and sloppy ones. */
export const workingTalk: KeptCase[] = [
  told(
    'multi',
    "I'm a vet, 41, two kids, and we live just outside Bergen",
    [keep('works as', 'vet'), keep('lives in', ['Bergen', 'just outside Bergen'])],
    [keep('age', '41'), keep('has', 'two kids')],
  ),
  told(
    'multi',
    'I left teaching last year and now I drive a bus for the city',
    [keep('works as', ['bus driver', 'drive a bus for the city', 'drive a bus'])],
    [over('works as', ['teaching', 'teacher']), keep('drives', ['bus', 'bus for the city'])],
  ),
  told(
    'multi',
    "My dad has Parkinson's and lives with us since the winter",
    [keep('has', "Parkinson's", 'my dad')],
    [keep('lives with', 'us', 'my dad')],
  ),
  told(
    'multi',
    "I'm lactose intolerant and my husband is allergic to nuts, so baking is a puzzle",
    [keep('intolerant to', ['lactose']), keep('allergic to', 'nuts', 'my husband')],
    [keep('is', 'lactose intolerant')],
  ),
  told(
    'multi',
    'we sold the house in Kent and bought a cottage near Brecon',
    [over('has', ['house in Kent', 'house'])],
    [keep('has', ['cottage near Brecon', 'cottage']), keep('lives in', 'cottage near Brecon')],
  ),
  told(
    'multi',
    'I used to live in Doha, then Muscat, and since 2021 in Izmir',
    [keep('lives in', 'Izmir')],
    [over('lives in', 'Doha'), over('lives in', 'Muscat')],
  ),
  told(
    'multi',
    'I work at the library three days a week and the rest I write crime novels',
    [keep('works at', 'library')],
    [keep('writes', 'crime novels'), keep('works', 'three days a week')],
  ),
  told(
    'multi',
    "she's my older sister Beata and she runs a hostel in Split",
    [keep('sister', 'Beata')],
    [keep('runs', ['hostel', 'hostel in Split'], 'Beata')],
  ),
  told(
    'multi',
    "I'm 27, studying architecture in Graz and working weekends in a bar",
    [keep('age', '27'), keep('studies', ['architecture', 'architecture in Graz'])],
    [keep('works at', 'bar'), keep('lives in', 'Graz'), keep('studies at', 'Graz')],
  ),
  told('sloppy', 'yo im dmitri i live in leeds lol', [keep('name', 'dmitri'), keep('lives in', 'leeds')]),
  told('sloppy', 'me n my gf just got a puppy shes called waffles!!', [keep('has pet', ['waffles', 'puppy'])]),
  told('sloppy', 'dont have a car i bike everywhere', [], [never('has', 'car'), keep('uses', 'bike'), over('has', 'car')]),
  told('sloppy', 'ive got asthma so keep that in mind pls', [keep('has', 'asthma')]),
  told('sloppy', 'my names kwame and im a electrician', [keep('name', 'kwame'), keep('works as', 'electrician')]),
  told('sloppy', 'were vegetarian at ours except xmas haha', [], [keep('diet', 'vegetarian')]),
  told('sloppy', 'i wrk at tesco stacking shelves atm', [], [keep('works at', 'tesco')]),
  told('sloppy', 'moved 2 glasgow in sept 🎉', [keep('lives in', 'glasgow')]),
  told(
    'sloppy',
    'got a new job!!! starting at Fernhill Clinic as a receptionist in april',
    [keep('works at', 'Fernhill Clinic')],
    [keep('works as', 'receptionist'), keep('plans to', 'start at Fernhill Clinic')],
  ),
  told(
    'long',
    `Ugh what a week. The boiler broke on Monday, the plumber came on Wednesday and charged me a fortune, and then the kids both got
colds. Anyway, sorry for the silence! Work has been fine, nothing exciting. Oh and before I forget, I'm allergic to latex, so
please tell your friend at the clinic if that matters for Friday. How was the concert? I saw the pictures and it looked amazing.`,
    [keep('allergic to', 'latex')],
  ),
  told(
    'long',
    `Can you help me plan a week of dinners? I cook for four people, usually after half past six when everyone is tired and grumpy.
Last week we had pasta three times and nobody complained but I felt bad about it. My husband doesn't eat fish, and I'd like
something that can be reheated. Also maybe one fancy thing for the weekend. Nothing too spicy. Thanks!`,
    [keep('does not eat', 'fish', 'my husband')],
    [keep('cooks for', 'four people')],
  ),
  told(
    'long',
    `I've been staring at this error for two hours. The build passes locally, fails in CI, and the message says nothing useful. I
already cleared the cache and re-ran it twice. For context: we use pnpm workspaces and our CI is Buildkite. The failing step is
the one that publishes the docs. I have a feeling that it's about the token but I can't see the logs. What would you look at
first?`,
    [keep('uses', 'pnpm workspaces'), keep('uses', ['Buildkite'], '')],
    [keep('ci', 'Buildkite')],
  ),
  told(
    'long',
    `So happy for you two!! Honestly I cried when I saw the ring. We should celebrate properly, maybe a long lunch somewhere by the
river, you know I'm always up for that. Things here are quiet. The garden is a mess, the fence fell over in the storm and I
haven't had time for it. My sister Lotte had her baby by the way, a boy, they named him Emil. Mum is over the moon of course. Call
me when you're back?`,
    [keep('sister', 'Lotte')],
    [keep('child', ['Emil', 'boy'], 'Lotte')],
  ),
  told(
    'long',
    `Thanks for the tips, the second one worked a treat. I roasted the squash with cumin and it disappeared in ten minutes. Next I want
to try something with lentils, but the last time they turned to mush. I do most of my cooking on a two-ring induction hob because
my kitchen is tiny, so nothing that needs an oven please. Is there a trick with the lentils?`,
    [],
    [keep('uses', ['two-ring induction hob']), keep('has', 'tiny kitchen')],
  ),
  told(
    'long',
    `Okay so the interview went weirdly. They asked about trees and graphs for forty minutes, then about salary. I said I'm at 62k now,
which is true, and the woman just nodded. The office is nice, lots of plants, a dog under one of the desks. I don't think I'll get
it, but it was good practice. I'll hear by Friday, they said. How did yours go?`,
    [],
    [keep('salary', '62k')],
  ),
  told(
    'long',
    `Right, a few things for the trip. I land at 14:20 and you land at 15:05, so I'll wait by the big clock. The hotel sent a
confirmation, breakfast is included. I can't walk very far at the moment since I broke my ankle in February, so let's take taxis.
I'd love to see the tile museum and that market you talked about. Bring a raincoat, the forecast is awful. Can't wait!`,
    [],
    [keep('has', 'broken ankle'), keep('broke', ['ankle', 'my ankle'])],
  ),
  told(
    'long',
    `Hello! I'm writing a cover letter and need a second pair of eyes. I'm a quantity surveyor with twelve years in the job, most
recently at Haldane & Rook. The post is a step up, a team lead in Bristol. I want to sound keen and not desperate. Could you check
the tone and cut whatever is padding? I'll paste the text below when you're ready.`,
    [keep('works as', 'quantity surveyor')],
    [keep('works at', 'Haldane & Rook')],
  ),
  told('kin', "my nan's 92 and still does the crossword", [keep('age', '92', 'my nan')]),
  told(
    'kin',
    'My ex-husband Rolf has the kids every other weekend',
    [],
    [keep('ex-husband', 'Rolf'), keep('has', 'kids every other weekend', 'Rolf')],
  ),
  told('kin', "Lena's my stepdaughter", [keep('stepdaughter', 'Lena')]),
  told(
    'others',
    'Priyanka from accounts is our contact for invoices',
    [keep('contact', ['Priyanka', 'contact for invoices'], '')],
    [keep('is', ['our contact for invoices', 'contact for invoices'], 'Priyanka')],
  ),
  told(
    'others',
    'My friend Dario lives in Turin and works for the railway',
    [keep('lives in', 'Turin', 'Dario')],
    [keep('works at', 'railway', 'Dario'), keep('friend', 'Dario')],
  ),
  told('others', 'Our landlord is Mr Osei', [keep('landlord', 'Mr Osei')]),
  told('routine', 'I get up at 5 every day', [], [keep('gets up', ['5', 'at 5 every day']), keep('wakes up', '5')]),
  told('routine', 'I swim on Tuesdays and Fridays', [keep('swims', ['Tuesdays and Fridays', 'on Tuesdays and Fridays', 'swim'])]),
  told('asked', "Please remember that the spare key is at Mrs Doyle's", [
    keep('spare key', ["at Mrs Doyle's", "spare key is at Mrs Doyle's", "Mrs Doyle's"]),
  ]),
  told('asked', 'for the record: our office wifi is Kestrel5', [keep('office wifi', 'Kestrel5')]),
]
