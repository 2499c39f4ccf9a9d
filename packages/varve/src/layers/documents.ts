import { speakersOf } from '../tasks/parts/read-span.ts'
import { subjectsPart } from '../tasks/parts/subjects-part.ts'
import { checkDocuments } from '../tasks/check-documents.ts'
import { documentsTask } from '../tasks/documents-task.ts'
import { layerBases } from '../storage/layers.ts'
import type { ReadLayer } from './layer.ts'

/** Pages of knowledge. A span is read for statements on subjects; editors work them into pages (distil/documenter.ts). */
export const documents: ReadLayer = {
  ...layerBases.documents,
  name: 'documents',
  reading: {
    task: documentsTask,
    personsOnly: true,
    seesSecrets: false,
    async check(answer, span) {
      const { stored } = span
      const checked = checkDocuments(answer, span.messages, speakersOf(span.messages, stored))
      return 'problem' in checked ? checked : subjectsPart(span, checked.facts, checked.refused, stored)
    },
    async extract(writer, span) {
      return subjectsPart(span, writer.subjects(span.messages), 0, span.stored)
    },
  },
}
