import { apiKeysQuery, createApiKeyRequest, rotateApiKeyRequest } from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction, joinDirectory } from '../../../database/transaction.ts'
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../../../programs/api-keys.ts'
import type { App, Dependencies } from '../../context.ts'
import { answerList, orNotFound } from '../../lists.ts'
import { check, readOptionalJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

const MINUTE_MS = 60_000

/** API keys of a program. Only the response that creates a key contains it. */
export const apiKeys = (app: App, dependencies: Dependencies) => {
  const { directory, clock } = dependencies
  const mayManage = requireProgram(dependencies, 'key:manage')

  app.post('/api/programs/:programId/api-keys', mayManage, async (c) => {
    const { name } = check(createApiKeyRequest, await readOptionalJson(c))
    const programId = c.get('program').id
    const at = clock()
    const { key, ...created } = await inTransaction(c.get('db'), async (tx) => {
      const made = await createApiKey(await joinDirectory(tx), { programId, name, createdAt: at })
      // The audit log gets only the public part of the key.
      const entry = { action: 'API key created', subject: `API key ${made.id}`, after: { id: made.id, name }, at }
      await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return made
    })
    return c.json({ data: { ...masked(created), key } }, 201)
  })

  app.get('/api/programs/:programId/api-keys', mayManage, async (c) => {
    const query = check(apiKeysQuery, c.req.query())
    const { rows, total } = await listApiKeys(directory, { programId: c.get('program').id, at: clock(), ...query })
    return answerList(c, rows.map(masked), { ...query, total })
  })

  app.delete('/api/programs/:programId/api-keys/:keyId', mayManage, async (c) => {
    const programId = c.get('program').id
    const at = clock()
    const revoked = await inTransaction(c.get('db'), async (tx) => {
      const key = await revokeApiKey(await joinDirectory(tx), { programId, id: c.req.param('keyId'), at })
      const changes = key && changedFields({ revokedAt: key.before }, { revokedAt: key.after.revokedAt })
      const entry = { action: 'API key revoked', subject: `API key ${key?.after.id}`, ...changes, at }
      if (changes) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return key?.after
    })
    return c.json({ data: masked(orNotFound(revoked, 'API key')) })
  })

  app.post('/api/programs/:programId/api-keys/:keyId/rotate', mayManage, async (c) => {
    const { graceMinutes } = check(rotateApiKeyRequest, await readOptionalJson(c))
    const programId = c.get('program').id
    const id = c.req.param('keyId')
    const at = clock()
    const revokedAt = new Date(at.getTime() + graceMinutes * MINUTE_MS)
    const rotated = await inTransaction(c.get('db'), async (tx) => {
      const keys = await rotateApiKey(await joinDirectory(tx), { programId, id, at, revokedAt })
      const before = { id, revokedAt: null }
      const entry = { action: 'API key rotated', subject: `API key ${id}`, before, after: { id: keys?.id, revokedAt } }
      if (keys) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry, at })
      return keys
    })
    const { key, previous, ...created } = orNotFound(rotated, 'API key')
    return c.json({ data: { ...masked(created), key, previous: masked(previous) } }, 201)
  })
}

const masked = <Key extends { id: string }>(key: Key) => ({ ...key, masked: `trk_${key.id}_…` })
