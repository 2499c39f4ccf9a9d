import type { Client, ClientConfig, Pool, PoolConfig } from 'pg'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'

/** The part of the package `pg` that Varve uses. */
export interface Driver {
  readonly Pool: new (config: PoolConfig) => Pool
  readonly Client: new (config: ClientConfig) => Client
}

/** Loads the PostgreSQL driver, which a user installs beside Varve. */
export async function loadDriver(): Promise<Driver> {
  try {
    return (await import(/* webpackIgnore: true */ 'pg')).default
  } catch (error) {
    if (!isMissingPackage(error)) throw error
    throw new InvalidConfiguration(
      { setting: 'store', reason: 'names a PostgreSQL server, and the package pg is not installed here; install it with: npm install pg' },
      { cause: error },
    )
  }
}

export function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}
