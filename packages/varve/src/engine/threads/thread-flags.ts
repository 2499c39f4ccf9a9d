/** A thread inherits the process's flags, and fails on the one of `node --input-type=module -e`, which is for text only. */
export const threadFlags: string[] | undefined = process.execArgv.some((flag) => flag.startsWith('--input-type')) ? [] : undefined
