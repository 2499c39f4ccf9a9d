import type { SourceMessage } from '../../models/writer.ts'

/** An answer for one item, as a model might write it, and whether it should be kept. */
export interface Variant {
  readonly isRight: boolean
  readonly answer: unknown
}

const minute = 60_000

function said(seq: number, name: string, text: string): SourceMessage {
  return { seq, role: 'user', origin: 'person', name, at: Date.UTC(2025, 2, 10, 18, 20) + seq * minute, text }
}

const [m, t] = ['Marguerite', 'Tobias'] as const

/** Two people by their names, on Monday, 10 March 2025. */
export const spokenTalk: readonly SourceMessage[] = [
  said(1, m, 'Hey Tobias! Sorry I went quiet, the bakery has been mad since we took on the second oven.'),
  said(2, t, "No worries, Margo! I started at the harbour office last Monday, so I'm wiped out too."),
  said(3, m, 'Congrats! I finally sold the old van yesterday, got 2,300 euros for it. We drive a Berlingo now.'),
  said(4, t, 'Nice. My sister Ingrid moved to Trondheim in January, so I have her cat Pumpernickel until June.'),
  said(5, m, "Aww. I can't have cats, I'm allergic. We got a dog though, Bosun, he's three."),
  said(6, t, 'Do you still play the cello?'),
  said(7, m, 'No, I gave up the cello two years ago. I sing in a choir on Thursdays now, twelve of us.'),
  said(8, t, 'I painted a lighthouse last summer, it hangs in the hall. Might try a ferry next.'),
  said(9, m, 'Oh I love that! By the way the wedding is on 20 June, not the 13th as I told you.'),
  said(10, t, "Noted! I'm not coming with Petra, we split up in February."),
  said(11, m, "I'm so sorry. My mum says you should come stay with us in Leith."),
  said(12, t, 'Maybe I will. I was thinking of getting a motorbike, haha, kidding, I hate them.'),
  said(13, m, "If I win the lottery I'll buy you one. Anyway, we are off to Porto next week for five days."),
  said(14, t, 'Have fun! I ran the half marathon in 1:52 last Saturday, my best so far.'),
  said(15, m, 'Wow!! My niece Wren turned 7 on Sunday and she wants to run too.'),
  said(16, t, 'The landlord raised my rent to 940 a month from April on.'),
  said(17, m, 'Ouch. Our test batch of rye sold out in an hour, Dev and I were thrilled.'),
  said(18, t, "Say hi to Dev. I'm vegetarian since New Year, so cook me something green 🙂"),
  said(19, m, "Will do! Dev's a nurse at the Western General, he is on nights until Friday."),
  said(20, t, "See you soon then. I'll bring the 1987 port grandpa left me."),
]

function worked(seq: number, role: SourceMessage['role'], text: string): SourceMessage {
  return { seq, role, origin: role === 'user' ? 'person' : role, at: Date.UTC(2025, 8, 3, 9, 12) + seq * minute, text }
}

/** A user with an assistant and a tool, on Wednesday, 3 September 2025. */
export const workTalk: readonly SourceMessage[] = [
  worked(31, 'user', 'We use pnpm in this repo, not npm. The test command is pnpm vitest run.'),
  worked(32, 'assistant', 'Understood. I see the package name is tidegauge and the Node version 22.'),
  worked(33, 'user', 'Our deploy branch is release/9, and staging lives at stage.tidegauge.example.'),
  worked(34, 'tool', "error TS2304: Cannot find name 'Reading' src/gauge/parse.ts:41"),
  worked(35, 'user', 'My manager Odile wants the report by the 12th. Please always answer in metric units.'),
  worked(36, 'assistant', 'I fixed parse.ts. You should also upgrade zod to 4.1.'),
  worked(37, 'user', "From now on don't touch the lockfile. And call me Fenn."),
  worked(38, 'user', 'Actually forget what I said about metric units, do nautical miles.'),
  worked(39, 'user', 'Can you show the diff? For this one answer use bullet points.'),
  worked(40, 'user', 'She told Ben: always wear a helmet. Budget for the sensors is $4,200.'),
  worked(41, 'user', 'Never commit to main without a green run. I prefer short answers without a preamble.'),
  worked(42, 'user', 'Stop suggesting Docker, we dropped it. You can show stack traces again.'),
]
