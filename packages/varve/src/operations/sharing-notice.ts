/** The commands by which a member keeps out a session, or all of theirs. */
interface KeepOut {
  readonly session: string
  readonly all: string
}

/** The notice that members get before their bank is shared. It names how a member keeps out a session, or all of theirs. */
export function sharingNoticeNaming(keepOut: KeepOut, assistants = false): string {
  return (
    'Agents of all members of this project will read summaries of every member’s conversations, under the member’s name. ' +
    'Whoever may search the project’s bank also finds the messages of these conversations word for word, the assistant’s ' +
    `replies included. ${assistants ? answersToo : ''}A member can keep a session out (${keepOut.session}), or all of theirs ` +
    `(${keepOut.all}). ` +
    'Switching off withdraws what was shared.'
  )
}

const answersToo =
  'The summaries also take what a member’s assistant answered, marked as the assistant’s. An answer may repeat what the ' +
  'member said elsewhere. '

/** Gives the notice; with `assistants`, of a project that shares assistants' answers too. */
export function sharingNotice(assistants: boolean): string {
  return sharingNoticeNaming({ session: 'sessions.share(id, false)', all: 'settings.set({ share: false })' }, assistants)
}
