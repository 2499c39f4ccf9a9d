/** A section of the notes. `guidance` tells its content in one line, which stays on the page below the heading. */
export interface NotesHeading {
  readonly heading: string
  readonly guidance: string
}

/** The sections of a page of notes where a project has named none. */
export const usualTemplate: readonly NotesHeading[] = [
  { heading: 'Title', guidance: 'What this session is about, in five to ten words that tell it from others.' },
  { heading: 'Current state and next steps', guidance: 'What is being worked on right now, what is unfinished, and what comes next.' },
  {
    heading: 'Task and design decisions',
    guidance: 'What was asked for, and what was decided on the way, with the reason and what was turned down.',
  },
  { heading: 'Important files and functions', guidance: 'Paths and names that matter here, and what each is for.' },
  { heading: 'Workflow commands', guidance: 'Commands that are run here, in what order, and how to read what they print.' },
  {
    heading: 'Errors and corrections',
    guidance: 'What failed, with its message, and what helped; what the user set right; what is not to be tried again.',
  },
  { heading: 'System documentation', guidance: 'The parts of the system that matter here, and how they work together.' },
  { heading: 'Learnings', guidance: 'What turned out to work well or badly, and why. Nothing that stands in another section.' },
  { heading: 'Key results', guidance: 'What was asked for and came out of it, exactly: answers, numbers, ids, links.' },
  { heading: 'Worklog', guidance: 'What was done, step by step, a short line each.' },
]
