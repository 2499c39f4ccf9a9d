// Written from the operations by `npm run api`. Do not edit.

/** The calls of each owner, as call-table.ts reads them. A user and a project have those of `shared` too. */
export const calls = {
  shared: `blocks/blocks/:name!session,during list*/blocks get? set=,text append+.,text delete- reorder=/blocks,names revisions*.
restore+.,revision documents!during list* read?:name recollect~.,query edit^:name,change revisions*:name/.
restore+:name/.,revision delete-:name memorize+/sessions/:session/. bank stats? entries*. render?rendered,maxTokens
search~.,query pin=entries/:id/pinned,pinned correct^entries/:id,text delete-entries/:id clear- history*.,entry
restore+history/:id/. rebuild+. imports list* get?:id accept+:id/. discard-:id`,
  user: `/sessions/:session append+messages,messages replace+/messages/.,id,content messages?. timeline*/. follow?/. changes?/.
recall~/.,query context~/. compact~/.,messages distil+. profile?/. export~/. import+/.,lines previewForget~/forget/preview,what
forget+/.,what showForget~/forget/show confirmForget+/forget/confirm,token sessions ensure=:id list* get?:id
rename=:id/name,name share=:id/.,share delete-:id gists/sessions/:session/gist get? list*/gists recall~/gists/.,query
write=,text revisions*. restore+.,revision distil+. pending?/gists/.,session facts!during list* query%. recall~.,query
around%.,entity history%.,of add+(fact correct^:id(changes retract+:id/. restore+:id/. merges*. unmerge+merges/:id/undo
merge+merges,entity,into instructions!during list* add+,text edit^:id,text withdraw+:id/. restore+:id/.
pendingForget/pending-forget list* confirm+:id/. dismiss+:id/. notes/sessions/:session/notes get? due?. update+. edit=,content
revisions*. restore+.,revision delete- list*/notes readings next+. done+.,id,answer contexts list* get?:id
compare?:first/compare/:second settings get? set^(changes`,
  project: `users*. sharing?. changes?. export~. import+.,lines settings get? set^,settings bank withdraw+.,member sharing?.
setSharing=sharing,on`,
  memory: `ledger*. costs?. doctor?. projects list* create=:name delete-:name receipts list* get?:id verify~.,receipt replay+.,receipts
keys!name,project,user,origins,expiresAt create+ list* revoke-:id audit!project,user list* contexts!project,user list* get?:id
compare?:first/compare/:second upkeep run+. runs*. status?`,
}
