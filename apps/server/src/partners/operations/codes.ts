import { CODES } from '@tributary/contract/declared'
import type { ChangeCode, CreateCode } from '@tributary/contract/programs/codes'
import { changedFields } from '../../audit/audit-log.ts'
import type { Clock, Recorder } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { lockTerms } from '../../money/rewards/reward-terms.ts'
import { requirePayoutManage } from '../../platform/access.ts'
import type { Audit } from '../../platform/audit.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { learnStatedCode } from '../../tracking/codes/learn-codes.ts'
import { type BackfillDeps, beginCodeBackfill, runCodeBackfill } from '../../tracking/sales/apply-code-to-earlier.ts'
import { partnerExists } from '../partners.ts'
import {
  applyOwnershipToEarlier,
  beginOwnership,
  changeCode,
  codesWithFigures,
  endOwnership,
  findCode,
  insertCode,
  lockCode,
  type PromotionCode,
} from '../promotion-codes.ts'

/** Payments that a call credits before it is answered. Housekeeping does the rest. */
const MAX_IN_CALL = 1_000

export const codes = (recorder: Omit<BackfillDeps, 'db' | 'clock'>) =>
  runs(
    CODES,
    { codeId: { what: 'code', find: findCode } },
    {
      create: {
        ownTransactions: async ({ db, program, actor, clock, audit, body }) => {
          const { id: programId, workspaceId } = program
          const { applyToEarlier = false } = body
          if (applyToEarlier) await requirePayoutManage(db, { user: actor, workspaceId }, 'applyToEarlier')
          const deps = { ...recorder, db, clock }
          const id = await inTransaction(db, (tx) => createCode(tx, deps, { program, body, audit }))
          if (applyToEarlier) await runCodeBackfill(deps, { programId, codeId: id, max: MAX_IN_CALL })
          return answerOf(db, { programId, id })
        },
      },

      list: async ({ db, program, query }) => {
        const { rows, total } = await codesWithFigures(db, { programId: program.id, ...query })
        return { rows: rows.map(withoutOwner), total }
      },

      change: {
        ownTransactions: async ({ db, program, actor, params, clock, audit, body }) => {
          const { id: programId, workspaceId } = program
          const { applyToEarlier = false } = body
          const id = params.codeId
          if (applyToEarlier) await requirePayoutManage(db, { user: actor, workspaceId }, 'applyToEarlier')
          const deps = { ...recorder, db, clock }
          await inTransaction(db, (tx) => changeOne(tx, { key: { programId, id }, body, clock, audit }))
          if (applyToEarlier) await runCodeBackfill(deps, { programId, codeId: id, max: MAX_IN_CALL })
          return answerOf(db, { programId, id })
        },
      },
    },
  )

type Creation = { program: Program; body: CreateCode; audit: Audit }

const createCode = async (tx: Tx, recorder: Recorder, { program, body, audit }: Creation) => {
  const { id: programId } = program
  const { code, partnerId, processor = null, externalId = null, applyToEarlier = false } = body
  await refuseUnknownPartner(tx, { programId, partnerId })
  // Leads and sales share this lock, so each is decided before or after the change.
  await lockTerms(tx, programId)
  const at = recorder.clock()
  const made = { programId, code, partnerId, active: true, requested: false, processor, externalId, createdAt: at }
  const { id: codeId } = await insertCode(tx, made)
  await beginOwnership(tx, { programId, codeId, partnerId, at, appliesToEarlier: applyToEarlier })
  if (processor && externalId) await learnStatedCode(tx, recorder, { program, processor, externalId, code })
  if (applyToEarlier) await beginCodeBackfill(tx, { programId, codeId, at })
  const after = { code, partnerId, active: true, processor, externalId, applyToEarlier }
  await audit(tx, { action: 'code assigned', subject: `promotion code ${codeId}`, after, at })
  return codeId
}

type CodeChange = { key: { programId: number; id: number }; body: ChangeCode; clock: Clock; audit: Audit }

const changeOne = async (tx: Tx, { key, body, clock, audit }: CodeChange) => {
  const { programId, id: codeId } = key
  const { applyToEarlier = false, ...change } = body
  if (change.partnerId) await refuseUnknownPartner(tx, { programId, partnerId: change.partnerId })
  await lockTerms(tx, programId)
  const before = orNotFound(await lockCode(tx, key), 'code')
  const at = clock()
  const after = await changeCode(tx, before, { ...key, change: stateAfter(before, change), at })
  await changeOwnership(tx, { programId, before, after, at })
  if (applyToEarlier) await applyCodeToEarlier(tx, { programId, code: after, at })
  const changes = changedFields({ ...before }, { ...after })
  const what = applyToEarlier
    ? { before: changes?.before ?? {}, after: { ...changes?.after, applyToEarlier } }
    : changes
  if (what) await audit(tx, { action: 'code changed', subject: `promotion code ${codeId}`, ...what, at })
}

type Earlier = { programId: number; code: PromotionCode; at: Date }

const applyCodeToEarlier = async (tx: Tx, { programId, code, at }: Earlier) => {
  if (!code.active)
    throw new Refusal('conflict', 'applyToEarlier needs an active code. Enable the code first.', {
      field: 'applyToEarlier',
    })
  await applyOwnershipToEarlier(tx, { programId, codeId: code.id })
  await beginCodeBackfill(tx, { programId, codeId: code.id, at })
}

type Change = { partnerId?: number | undefined; active?: boolean | undefined }

/** Deciding on a request, either way, ends it. */
const stateAfter = (before: PromotionCode, { partnerId, active }: Change) => ({
  partnerId: partnerId ?? before.partnerId,
  active: active ?? before.active,
  requested: active === undefined && before.requested,
})

type OwnershipChange = { programId: number; before: PromotionCode; after: PromotionCode; at: Date }

/** Sales count for the partner of their time, so an earlier period stays as it was. */
const changeOwnership = async (tx: Tx, { programId, before, after, at }: OwnershipChange) => {
  if (before.active === after.active && before.partnerId === after.partnerId) return
  const { id: codeId, partnerId } = after
  if (before.active) await endOwnership(tx, { programId, codeId, at })
  if (after.active) await beginOwnership(tx, { programId, codeId, partnerId, at, appliesToEarlier: false })
}

const FIRST = { sort: 'createdAt', page: 1, pageSize: 1 } as const

const answerOf = async (db: Database, key: { programId: number; id: number }) => {
  const { rows } = await codesWithFigures(db, { ...key, ...FIRST })
  return withoutOwner(orNotFound(rows[0], 'code'))
}

type Row = Awaited<ReturnType<typeof codesWithFigures>>['rows'][number]
const withoutOwner = ({ isOwner: _, ...row }: Row) => row

const refuseUnknownPartner = async (tx: Tx, { programId, partnerId }: { programId: number; partnerId: number }) => {
  if (!(await partnerExists(tx, { programId, id: partnerId })))
    throw new Refusal('invalid_request', 'partnerId must be a partner of this program.', { field: 'partnerId' })
}
