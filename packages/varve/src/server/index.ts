export { type MemoryServer, serveMemory, type ServerOptions } from './serve-memory.ts'
