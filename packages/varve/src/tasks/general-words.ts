/** Words that any attribute may have. They tell nothing of the message that named one first. */
export const generalWords =
  'account address age amount area branch brand budget build channel city class code color colour command company contact cost count ' +
  'country course current database date day deadline default deploy device diet document editor email environment event favorite ' +
  'favourite file flight folder format framework game goal group home host hour hours id item job key kind language level library ' +
  'license limit link list location main manager meeting method minute mode model month name number office order owner package part ' +
  'path person phone place plan platform port position preferred price primary project provider rate release rent repo repository ' +
  'role room rule runner salary schedule school score season section server service setting shift size source stage start state ' +
  'status style subject system target task team test time title tool topic type unit url usual value version week weight year zone ' +
  'is has uses keeps wants works does runs gets goes'
