/** Revisions of a page whose words are kept: the newest. */
export const pageRevisionsKept = 200
