import type { DigestTasks } from './distil/digest-tasks.ts'
import type { DistilTasks } from './distil/distil-tasks.ts'
import type { DocumentTasks } from './distil/document-tasks.ts'
import type { LedgerTasks } from './distil/model-calls.ts'
import type { NotesTasks } from './distil/notes-tasks.ts'
import type { Engine } from './threads/engine.ts'
import type { UpkeepTasks } from './upkeep/upkeep.ts'

/** What upkeep needs of the store: changes go to the thread that writes, questions to the one that reads. While the memory closes, it gives back what it holds. */
export function tasksOf({ write, read, distil }: Pick<Engine, 'write' | 'read' | 'distil'>): UpkeepTasks {
  return {
    ...distillingTasks(write, distil),
    ...pageTasks({ write, read, distil }),
    dueSessions: read.dueSessions,
    sessionsNotDue: read.sessionsNotDue,
    readingBacklog: read.readingBacklog,
    failingWork: read.failingWork,
    costs: read.costs,
    dueBanks: read.dueBanks,
    finishErasures: write.finishErasures,
    pendingErasures: read.pendingErasures,
    claimEmbeddings: write.claimEmbeddings,
    storeEmbeddings: write.storeEmbeddings,
    putOffEmbeddings: write.putOffEmbeddings,
    dropOutdated: write.dropOutdated,
    embeddingsDue: read.embeddingsDue,
    embeddingBacklog: read.embeddingBacklog,
  }
}

function distillingTasks(write: Engine['write'], distil: Engine['distil']): DistilTasks & Omit<DigestTasks, 'dueBanks'> & Pick<UpkeepTasks, 'claimSession' | 'releaseSession'> {
  return {
    claimSession: write.claimSession,
    releaseSession: write.releaseSession,
    readSession: distil.readSession,
    askSpan: distil.askSpan,
    askSpanAgain: distil.askSpan,
    parseSpan: distil.parseSpan,
    extractSpan: distil.extractSpan,
    storeParts: write.storeParts,
    outlines: distil.outlines,
    askFusion: distil.askFusion,
    parseFusion: distil.parseFusion,
    extractFusion: distil.extractFusion,
    compose: distil.compose,
    finishReading: write.finishReading,
    claimBank: write.claimBank,
    releaseBank: write.releaseBank,
    seenBank: write.seenBank,
    digestOutlines: distil.digestOutlines,
    askDigest: distil.askDigest,
    parseDigest: distil.parseDigest,
    extractDigest: distil.extractDigest,
    composeDigest: distil.composeDigest,
    storeDigest: write.storeDigest,
    beginCall: write.beginCall,
    endCall: write.endCall,
  }
}

function pageTasks({ write, read, distil }: Pick<Engine, 'write' | 'read' | 'distil'>): Omit<DocumentTasks & NotesTasks, keyof LedgerTasks> & Pick<UpkeepTasks, 'pendingFacts' | 'areDocumentsHeld'> {
  return {
    pendingFacts: read.pendingFacts,
    areDocumentsHeld: read.areDocumentsHeld,
    dueDocuments: read.dueDocuments,
    claimDocuments: write.claimDocuments,
    releaseDocuments: write.releaseDocuments,
    pendingSubjects: distil.pendingSubjects,
    nearDocuments: read.nearDocuments,
    documentEdits: distil.documentEdits,
    askEdits: distil.askEdits,
    parseEdits: distil.parseEdits,
    extractEdits: distil.extractEdits,
    workIn: write.workIn,
    dueNotes: read.dueNotes,
    claimNotes: write.claimNotes,
    releaseNotes: write.releaseNotes,
    readForNotes: distil.readForNotes,
    askNotes: distil.askNotes,
    parseNotes: distil.parseNotes,
    askCondensed: distil.askCondensed,
    parseCondensed: distil.parseCondensed,
    extractNotes: distil.extractNotes,
    storeNotes: write.storeNotes,
  }
}
