import type { DB } from './tables.ts'

/**
 * Where each table is when an instance has several databases (docs/decisions/0043): one directory, and any number of shards, each
 * with the programs of some workspaces. `Directory` and `Database` (connect.ts) know only their own tables. shard-boundary.test.ts
 * checks what types cannot: foreign keys and SQL text.
 */

/** Who signs in, and the names that lead to a program before it is known. */
export const DIRECTORY_TABLES = [
  'users',
  'sessions',
  'credentials',
  'verifications',
  'twoFactors',
  'workspaces',
  'members',
  'invitations',
  'apiKeys',
  'linkNames',
  'partnerCodes',
  'partnerSignIns',
  'processorAccounts',
  // Events of accounts that no workspace has connected.
  'processorUnassignedEvents',
  'demoSeed',
] as const satisfies (keyof DB)[]

/** Every database has its own. */
export const COMMON_TABLES = ['instanceSecrets', 'readiness', 'clickRetention'] as const satisfies (keyof DB)[]

export type DirectoryTables = Pick<DB, (typeof DIRECTORY_TABLES)[number] | (typeof COMMON_TABLES)[number]>
export type ShardTables = Omit<DB, (typeof DIRECTORY_TABLES)[number]>
