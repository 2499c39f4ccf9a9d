/**
 * The place from which a session feeds its project's bank, for one that its owner shares by name; 0 where the project's
 * switch decides. A project's choice to share assistants' answers: since when, and whose choice it was.
 */
export const sharedFrom = `
ALTER TABLE session ADD COLUMN shared_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE project ADD COLUMN answers_since INTEGER;
ALTER TABLE project ADD COLUMN answers_by TEXT;
`
