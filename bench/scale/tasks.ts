import type { Cost } from '../shared/usage.ts'

/** A store of the bench: so many messages of so many users on a server. */
export interface ScaleStore {
  /** The address, with the schema. */
  readonly place: string
  readonly messages: number
  readonly users: number
}

/** The tasks of a child process. Each has a process of its own, with its own memory. */
export type ScaleTask =
  | { readonly kind: 'fill'; readonly store: ScaleStore }
  | { readonly kind: 'use'; readonly store: ScaleStore; readonly appends: number; readonly asked: number }

export interface Filled extends Cost {
  /** CPU of the server; undefined where its processes cannot be seen. */
  readonly serverCpuMs?: number
  /** Bytes of the write-ahead log. */
  readonly logBytes: number
  readonly storedBytes: number
  readonly indexBytes: number
}

/** The cost of one kind of call: its median time, and the mean CPU of this process and of the server. */
export interface CallCost {
  readonly calls: number
  readonly p50Ms: number
  readonly cpuMs: number
  readonly serverCpuMs?: number
}

export interface Used {
  /** The least cost of a commit at that time. */
  readonly commitMs: number
  readonly append: CallCost
  /** Each user's first question in this process. */
  readonly cold: CallCost
  readonly warm: CallCost
  /** Memory of the segments that this process holds, in bytes, and of how many users. */
  readonly segmentBytes: number
  readonly segmentUsers: number
  readonly residentMb: number
}

export interface ScaleAnswers {
  readonly fill: Filled
  readonly use: Used
}

export function scaleUser(place: number): string {
  return `user-${place}`
}
