export type { MemoryOfFiles } from './memory-folder.ts'
export { memoryFileName } from './memory-paths.ts'
export { type MemoryToolOptions, memoryTool, type VarveMemoryTool } from './memory-tool.ts'
