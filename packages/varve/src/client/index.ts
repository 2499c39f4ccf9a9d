export { connect } from './connect.ts'
export type { ConnectOptions } from './connection.ts'
export { RemoteError as VarveError } from './remote-error.ts'
export type {
  EventsOptions,
  LiveEvent,
  MissedEvents,
  RemoteEvent,
  RemoteMemory,
  RemoteProjectMemory,
  RemoteProjects,
  RemoteUserMemory,
  ToldChange,
} from './remote-memory.ts'
