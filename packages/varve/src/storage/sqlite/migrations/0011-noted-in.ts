/** The session in which an agent noted a fact or an instruction; 0 for none. The note goes with that session. */
export const notedInSession = `
ALTER TABLE assertion ADD COLUMN noted_in INTEGER NOT NULL DEFAULT 0;
ALTER TABLE instruction ADD COLUMN noted_in INTEGER NOT NULL DEFAULT 0;
CREATE INDEX assertion_noted_in ON assertion (noted_in) WHERE noted_in > 0;
CREATE INDEX instruction_noted_in ON instruction (noted_in) WHERE noted_in > 0;
CREATE INDEX assertion_note ON assertion (partition_id, ord) WHERE of_other = 3;
`
