/** The number of a page's newest revisions that keep their words. */
export const pageRevisionsKept = 200
