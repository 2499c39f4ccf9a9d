/**
 * Messages by the time of saying: the timeline finds its places here alone. The session is in it too, so that a timeline
 * of one session, or without one, reads no message.
 */
export const saidIndex = `
CREATE INDEX message_said ON message (partition_id, said_at, ord, session_id);
`
