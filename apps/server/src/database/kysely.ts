import {
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type PluginTransformQueryArgs,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import type { DB } from './tables.ts'

/** camelCase in code, snake_case in the database; keys inside JSON values are unchanged. */
class Names extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true })
  }

  /** The plugin copies the whole query first, which cost a fifth of a sale's CPU time; Compiler renames identifiers instead. */
  override transformQuery({ node }: PluginTransformQueryArgs) {
    return node
  }

  inDatabase(name: string) {
    return this.snakeCase(name)
  }
}

const names = new Names()

class Compiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string) {
    return super.sanitizeIdentifier(names.inDatabase(identifier))
  }
}

/** Limits how long transactions wait for locks. In the statement that begins them, because poolers drop such settings of connections. */
class Driver extends PostgresDriver {
  readonly #lockTimeoutMs: number

  constructor(config: PostgresDialectConfig, lockTimeoutMs: number) {
    super(config)
    this.#lockTimeoutMs = lockTimeoutMs
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    if (settings.isolationLevel || settings.accessMode) return super.beginTransaction(connection, settings)
    await connection.executeQuery(CompiledQuery.raw(`BEGIN; SET LOCAL lock_timeout = ${this.#lockTimeoutMs}`))
  }
}

class Dialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #lockTimeoutMs: number | undefined

  constructor(config: PostgresDialectConfig, lockTimeoutMs: number | undefined) {
    super(config)
    this.#config = config
    this.#lockTimeoutMs = lockTimeoutMs
  }

  override createDriver() {
    return this.#lockTimeoutMs === undefined ? super.createDriver() : new Driver(this.#config, this.#lockTimeoutMs)
  }

  override createQueryCompiler() {
    return new Compiler()
  }
}

type Options = {
  /** How long a transaction waits for a lock; by default, as long as the connection allows. */
  lockTimeoutMs?: number | undefined
}

export const openKysely = (pool: PostgresPool, { lockTimeoutMs }: Options = {}) =>
  new Kysely<DB>({ dialect: new Dialect({ pool }, lockTimeoutMs), plugins: [names] })
