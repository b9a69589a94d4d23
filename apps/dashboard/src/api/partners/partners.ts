import { keepPreviousData } from '@tanstack/react-query'
import type { PARTNER_BULK_ACTIONS } from '@tributary/contract'
import { resultOf, useBulk } from '../bulk.ts'
import { call, type Input, useCall } from '../call.ts'

const LIST = '/api/programs/{programId}/partners'

export const usePartners = (programId: number, query: Input<`get ${typeof LIST}`>['query']) =>
  useCall(`get ${LIST}`, { programId, query }, { placeholderData: keepPreviousData })

/** Loads nothing without an ID. */
export const usePartner = (programId: number, partnerId: string | undefined) =>
  useCall(`get ${LIST}/{partnerId}`, { programId, partnerId: Number(partnerId) }, { enabled: Boolean(partnerId) })

export type PartnerBulkAction = (typeof PARTNER_BULK_ACTIONS)[number] | 'approve' | 'reject'
type BulkInput = { action: PartnerBulkAction; message?: string }

/** Emails take a while, so they are sent in smaller parts. */
const MAX_INVITED = 20

/** Changes many partners. Applications are decided with a message. */
export const useBulkPartners = (programId: number, action: PartnerBulkAction | null) =>
  useBulk(
    (ids, { action, message }: BulkInput) =>
      action === 'approve' || action === 'reject'
        ? decide(programId, ids, { decision: action === 'approve' ? 'approved' : 'rejected', message })
        : call(`post ${LIST}/bulk`, { programId, body: { ids, action } }),
    action === 'invite' ? { size: MAX_INVITED } : {},
  )

type Decision = { decision: 'approved' | 'rejected'; message: string | undefined }

const decide = async (programId: number, partnerIds: number[], { decision, message }: Decision) => {
  const body = { partnerIds, decision, ...(message && { message }) }
  const { decided } = await call('post /api/programs/{programId}/applications/decide', { programId, body })
  return resultOf({ asked: partnerIds.length, done: decided.length, reason: 'not waiting for a decision' })
}
