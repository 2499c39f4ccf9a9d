import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'

/** The kinds of failures. `torn` writes half and dies; `short` writes half and reports it. */
export const kinds = { eio: 1, enospc: 2, short: 3, kill: 4, torn: 5 } as const
export type Kind = keyof typeof kinds

export const operations = { write: 1, sync: 2, truncate: 4, unlink: 8, name: 16 } as const

/** The fields of the control file, in the order of the enum in shim.c: 64 bits each. */
const fields = { armed: 0, failAt: 1, kind: 2, mask: 3, sticky: 4, counter: 5, fired: 6, lastOperation: 7 } as const
type Field = keyof typeof fields

export interface Fault {
  /** 1 is the first operation after arming. */
  readonly failAt: number
  readonly kind: Kind
  /** True fails all later operations too, until disarmed: a disk that stays full. */
  readonly sticky?: boolean
  /** Bits of `operations` that count and fail. Default: all that fit the kind, and no renames and links. */
  readonly only?: number
}

export interface Seen {
  /** The number of operations since arming. */
  readonly operations: number
  readonly fired: boolean
  readonly operation: string
}

/** Controls the shim of a child through a file that it has mapped. Works from either side. */
export class Control implements Disposable {
  readonly #descriptor: number

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r+')
  }

  static create(file: string): void {
    writeFileSync(file, Buffer.alloc(4096))
  }

  arm({ failAt, kind, sticky = false, only }: Fault): void {
    this.#set('armed', 0)
    this.#set('failAt', failAt)
    this.#set('kind', kinds[kind])
    // Only a write can be cut short.
    this.#set('mask', only ?? (kind === 'short' ? operations.write : 15))
    this.#set('sticky', Number(sticky))
    this.#set('counter', 0)
    this.#set('fired', 0)
    this.#set('armed', 1)
  }

  disarm(): Seen {
    this.#set('armed', 0)
    return this.seen()
  }

  seen(): Seen {
    const last = this.#get('lastOperation')
    const operation = Object.entries(operations).find(([, bit]) => bit === last)?.[0] ?? ''
    return { operations: this.#get('counter'), fired: this.#get('fired') > 0, operation }
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor)
  }

  #set(field: Field, value: number): void {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(BigInt(value))
    writeSync(this.#descriptor, bytes, 0, 8, fields[field] * 8)
  }

  #get(field: Field): number {
    const bytes = Buffer.alloc(8)
    readSync(this.#descriptor, bytes, 0, 8, fields[field] * 8)
    return Number(bytes.readBigInt64LE())
  }
}
