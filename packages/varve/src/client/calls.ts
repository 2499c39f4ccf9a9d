// Written from the operations by `npm run api`. Do not edit.

/** The calls of each handle, a line each, as call-table.ts reads them. A user and a project have those of `shared` too. */
export const calls: Readonly<Record<'shared' | 'user' | 'project' | 'memory', Readonly<Record<string, string>>>> = {
  shared: {
    blocks: `list GET* /blocks !session
get GET /blocks/{name} !session
set PUT /blocks/{name} name,text !session,during
append POST /blocks/{name}/append name,text !session,during
delete DELETE /blocks/{name} !session
reorder PUT /blocks names !session
revisions GET* /blocks/{name}/revisions !session
restore POST /blocks/{name}/restore name,revision !session`,
    documents: `list GET* /documents
read GET /documents/{name}
recollect POST? /documents/recollect query
edit PATCH /documents/{name} name,change !during
revisions GET* /documents/{name}/revisions
restore POST /documents/{name}/restore name,revision
delete DELETE /documents/{name}
memorize POST /sessions/{session}/memorize`,
    bank: `stats GET /bank
entries GET* /bank/entries
render GET /bank/rendered maxTokens
search POST? /bank/search query
pin PUT /bank/entries/{id}/pinned id,pinned
correct PATCH /bank/entries/{id} id,text
delete DELETE /bank/entries/{id}
clear DELETE /bank
history GET* /bank/history entry
restore POST /bank/history/{id}/restore
rebuild POST /bank/rebuild`,
    imports: `list GET* /imports
get GET /imports/{id}
accept POST /imports/{id}/accept
discard DELETE /imports/{id}`,
  },
  user: {
    '': `append POST /sessions/{session}/messages session,messages
replace POST /messages/replace id,content
messages GET /sessions/{session}/messages
timeline GET* /timeline
follow GET /follow
changes GET /changes
recall POST? /recall query
context POST? /context
compact POST? /compact messages
distil POST /sessions/{session}/distil
profile GET /profile
export POST? /export
import POST /import lines
previewForget POST? /forget/preview what
forget POST /forget what`,
    sessions: `ensure PUT /sessions/{id}
list GET* /sessions
get GET /sessions/{id}
rename PUT /sessions/{id}/name id,name
share PUT /sessions/{id}/share id,share
delete DELETE /sessions/{id}`,
    gists: `get GET /sessions/{session}/gist
list GET* /gists
recall POST? /gists/recall query
write PUT /sessions/{session}/gist session,text
revisions GET* /sessions/{session}/gist/revisions
restore POST /sessions/{session}/gist/restore session,revision
distil POST /sessions/{session}/gist/distil
pending GET /gists/pending session`,
    facts: `list GET* /facts
query POST?* /facts/query
recall POST? /facts/recall query
around POST?* /facts/around entity
history POST?* /facts/history of
add POST /facts =fact !during
correct PATCH /facts/{id} =changes !during
retract POST /facts/{id}/retract
restore POST /facts/{id}/restore
merges GET* /facts/merges
unmerge POST /facts/merges/{id}/undo
merge POST /facts/merges entity,into`,
    instructions: `list GET* /instructions
add POST /instructions text !during
edit PATCH /instructions/{id} id,text
withdraw POST /instructions/{id}/withdraw
restore POST /instructions/{id}/restore`,
    pendingForget: `list GET* /pending-forget
confirm POST /pending-forget/{id}/confirm
dismiss POST /pending-forget/{id}/dismiss`,
    notes: `get GET /sessions/{session}/notes
due GET /sessions/{session}/notes/due
update POST /sessions/{session}/notes/update
edit PUT /sessions/{session}/notes session,content
revisions GET* /sessions/{session}/notes/revisions
restore POST /sessions/{session}/notes/restore session,revision
delete DELETE /sessions/{session}/notes
list GET* /notes`,
    contexts: `list GET* /contexts
get GET /contexts/{id}
compare GET /contexts/{first}/compare/{second}`,
    settings: `get GET /settings
set PATCH /settings =changes`,
  },
  project: {
    '': `users GET* /users
sharing GET /sharing
changes GET /changes
export POST? /export
import POST /import lines`,
    settings: `get GET /settings
set PATCH /settings settings`,
    bank: `withdraw POST /bank/withdraw member
sharing GET /bank/sharing
setSharing PUT /bank/sharing on`,
  },
  memory: {
    projects: `list GET* /projects
create PUT /projects/{name}
delete DELETE /projects/{name}`,
    receipts: `list GET* /receipts
get GET /receipts/{id}
verify POST? /receipts/verify receipt
replay POST /receipts/replay receipts`,
    keys: `create POST /keys !name,project,user,origins,expiresAt
list GET* /keys !project
revoke DELETE /keys/{id} !project`,
    audit: `list GET* /audit !project,user`,
    contexts: `list GET* /contexts !project,user
get GET /contexts/{id}
compare GET /contexts/{first}/compare/{second}`,
    upkeep: `run POST /upkeep/run
runs GET* /upkeep/runs
status GET /upkeep`,
    '': `ledger GET* /ledger
costs GET /costs
doctor GET /doctor`,
  },
}

/** Fields of queries that must be texts, and those that must not: a query has texts alone. */
export const queryTexts = 'session cursor order after id name subject first second granularity entry member user project key act'
export const queryValues = 'limit before tools ended revision maxTokens'
