import { apiKeysQuery, createApiKeyRequest, programId as programIdOf } from '@tributary/contract'
import { changedFields, recordAudit } from '../../audit/audit-log.ts'
import { systemClock } from '../../clock.ts'
import { TRIBUTARY } from '../../config/command-name.ts'
import { StartupError } from '../../config/startup-error.ts'
import { inTransaction } from '../../database/transaction.ts'
import { createApiKey, findProgramOfKey, listApiKeys, revokeApiKey } from '../../programs/api-keys.ts'
import { findProgram } from '../../programs/programs.ts'
import { withErrorOutput } from '../terminal.ts'
import { type CommandContext, withServiceDatabase } from '../with-service-database.ts'
import { printTable } from './lists.ts'
import { readArguments } from './read-arguments.ts'
import { BY_OPERATOR } from './record-account-change.ts'

const requireProgram = async ({ db }: Pick<CommandContext, 'db'>, given: string | undefined, usage: string) => {
  const id = programIdOf.safeParse(given)
  if (!id.success) throw new StartupError(`--program must be a program ID. Usage: ${TRIBUTARY} admin ${usage}`)
  const program = await findProgram(db, id.data)
  if (!program) throw new StartupError(`Program ${id.data} does not exist. List them with: ${TRIBUTARY} admin programs`)
  return program
}

export const listKeys = withErrorOutput(async ({ args, env, print }) => {
  const usage = 'keys --program ID'
  const { options } = readArguments(args, { options: ['program'], usage })
  await withServiceDatabase(env, async ({ db }) => {
    const { id: programId, name } = await requireProgram({ db }, options.program, usage)
    const query = apiKeysQuery.parse({ pageSize: 100 })
    const { rows } = await listApiKeys(db, { programId, at: systemClock(), ...query })
    if (rows.length === 0) return print(`${name} has no API keys.`)
    const cells = rows.map((key) => [
      key.id,
      key.name,
      key.createdAt.toISOString(),
      key.lastUsedAt?.toISOString() ?? 'never',
      key.revokedAt ? `revoked ${key.revokedAt.toISOString()}` : 'active',
    ])
    printTable(print, [['ID', 'NAME', 'CREATED', 'LAST USED', 'STATE'], ...cells])
  })
  return 0
})

export const createKey = withErrorOutput(async ({ args, env, print }) => {
  const usage = 'create-key --program ID [--name NAME]'
  const { options } = readArguments(args, { options: ['program', 'name'], usage })
  const request = createApiKeyRequest.safeParse({ name: options.name })
  if (!request.success)
    throw new StartupError(`--name must have 1 to 120 characters. Usage: ${TRIBUTARY} admin ${usage}`)
  await withServiceDatabase(env, async ({ db, config: { cell } }) => {
    const { id: programId } = await requireProgram({ db }, options.program, usage)
    const at = systemClock()
    const { key } = await inTransaction(db, async (tx) => {
      const made = await createApiKey(tx, { programId, ...request.data, createdAt: at, cell })
      const after = { id: made.id, name: made.name, ...BY_OPERATOR }
      await recordAudit(tx, {
        programId,
        userId: null,
        action: 'API key created',
        subject: `API key ${made.id}`,
        after,
        at,
      })
      return made
    })
    print(key)
    print('The key is not shown again.')
  })
  return 0
})

export const revokeKey = withErrorOutput(async ({ args, env, print }) => {
  const { words } = readArguments(args, { words: 1, usage: 'revoke-key KEY_ID' })
  // A whole key works too: its second part is the ID.
  const [word = ''] = words
  const id = word.split('_')[1] ?? word
  await withServiceDatabase(env, async ({ db }) => {
    const programId = await findProgramOfKey(db, id)
    if (programId === null)
      throw new StartupError(`There is no API key ${id}. List them with: ${TRIBUTARY} admin keys --program ID`)
    const at = systemClock()
    const wasActive = await inTransaction(db, async (tx) => {
      const key = await revokeApiKey(tx, { programId, id, at })
      const changes = key && changedFields({ revokedAt: key.before }, { revokedAt: key.after.revokedAt })
      if (!changes) return false
      const entry = { action: 'API key revoked', subject: `API key ${id}`, before: changes.before }
      await recordAudit(tx, { programId, userId: null, ...entry, after: { ...changes.after, ...BY_OPERATOR }, at })
      return true
    })
    print(
      wasActive ? `Revoked API key ${id}. The service refuses it within seconds.` : `API key ${id} was revoked before.`,
    )
  })
  return 0
})
