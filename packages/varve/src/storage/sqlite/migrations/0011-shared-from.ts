/**
 * The place from which a session feeds its project's bank, for one that its owner shares by name; 0 where the project's
 * switch decides.
 */
export const sharedFrom = `
ALTER TABLE session ADD COLUMN shared_from INTEGER NOT NULL DEFAULT 0;
`
