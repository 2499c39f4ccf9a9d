/** The notice that members get before their bank is shared. It names how a member keeps out a session, or all of theirs. */
export function sharingNoticeNaming(keepOut: { readonly session: string; readonly all: string }): string {
  return (
    'Agents of all members of this project will read summaries of every member’s conversations, under the member’s name. ' +
    'Whoever may search the project’s bank also finds the messages of these conversations word for word, the assistant’s ' +
    `replies included. A member can keep a session out (${keepOut.session}), or all of theirs (${keepOut.all}). ` +
    'Switching off withdraws what was shared.'
  )
}

export const sharingNotice = sharingNoticeNaming({ session: 'sessions.share(id, false)', all: 'settings.set({ share: false })' })
