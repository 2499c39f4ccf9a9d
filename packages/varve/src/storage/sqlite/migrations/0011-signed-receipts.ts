/** What an erasure took, without a name or a word, and the signatures of its receipt. Older receipts have neither. */
export const signedReceipts = `
ALTER TABLE receipt ADD COLUMN erased TEXT;
ALTER TABLE receipt ADD COLUMN signatures TEXT;
`
