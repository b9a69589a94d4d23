import {
  CamelCasePlugin,
  Kysely,
  type PluginTransformQueryArgs,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
} from 'kysely'
import type { DB } from './tables.ts'

/** camelCase in the code, snake_case in the database; what is inside of a JSON value stays as it is. */
class Names extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true })
  }

  /** The plugin's own way copies the whole query first, which was a fifth of what a sale cost the service: see Compiler. */
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

class Dialect extends PostgresDialect {
  override createQueryCompiler() {
    return new Compiler()
  }
}

export const openKysely = (pool: PostgresPool): Kysely<DB> =>
  new Kysely<DB>({ dialect: new Dialect({ pool }), plugins: [names] })
