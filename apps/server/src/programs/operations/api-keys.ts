import { API_KEYS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { createApiKey, findApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../api-keys.ts'

const MINUTE_MS = 60_000

/** `cell`: what the IDs of new keys start with. */
export const apiKeys = ({ cell }: { cell: string }) =>
  runs(
    API_KEYS,
    { keyId: { what: 'API key', find: findApiKey } },
    {
      create: async ({ tx, program, clock, audit, body: { name } }) => {
        const at = clock()
        const { key, ...made } = await createApiKey(tx, { programId: program.id, name, createdAt: at, cell })
        // The audit log gets only the public part of the key.
        const after = { id: made.id, name }
        await audit(tx, { action: 'API key created', subject: `API key ${made.id}`, after, at })
        return { ...masked(made), key }
      },

      list: async ({ db, program, clock, query }) => {
        const { rows, total } = await listApiKeys(db, { programId: program.id, at: clock(), ...query })
        return { rows: rows.map(masked), total }
      },

      revoke: async ({ tx, program, params, clock, audit }) => {
        const at = clock()
        const found = await revokeApiKey(tx, { programId: program.id, id: params.keyId, at })
        const { before, after } = orNotFound(found, 'API key')
        const changes = changedFields({ revokedAt: before }, { revokedAt: after.revokedAt })
        if (changes) await audit(tx, { action: 'API key revoked', subject: `API key ${after.id}`, ...changes, at })
        return masked(after)
      },

      rotate: async ({ tx, program, params: { keyId: id }, clock, audit, body: { graceMinutes } }) => {
        const at = clock()
        const revokedAt = new Date(at.getTime() + graceMinutes * MINUTE_MS)
        const found = await rotateApiKey(tx, { programId: program.id, id, at, revokedAt, cell })
        const { key, previous, ...made } = orNotFound(found, 'API key')
        const change = { before: { id, revokedAt: null }, after: { id: made.id, revokedAt } }
        await audit(tx, { action: 'API key rotated', subject: `API key ${id}`, ...change, at })
        return { ...masked(made), key, previous: masked(previous) }
      },
    },
  )

const masked = <Key extends { id: string }>(key: Key) => ({ ...key, masked: `trk_${key.id}_…` })
