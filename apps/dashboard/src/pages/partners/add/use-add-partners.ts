import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { WrittenPartner } from '@tributary/contract'
import { useState } from 'react'
import { call, type Result } from '~/api/call.ts'
import { ApiError } from '~/api/client.ts'
import type { NewPartner } from './read-partners.ts'

const PARTNERS = '/api/programs/{programId}/partners'

export type Invitation = Result<`post ${typeof PARTNERS}/{partnerId}/invite`>
/** `invitation`: null if none was requested, or the reason why it failed. */
export type Added = { partner: WrittenPartner; invitation: Invitation | string | null }
export type Refused = { partner: NewPartner; reason: string }
/** `stopped`: the error that ended it after some partners were added. */
export type Outcome = { added: Added[]; refused: Refused[]; stopped?: unknown }

type Input = { partners: NewPartner[]; groupId?: number; isInvited: boolean }

/** Errors about one partner. Any other ends the run. */
const ABOUT_ONE = ['conflict', 'invalid_request']
const isAboutOne = (error: unknown): error is ApiError => error instanceof ApiError && ABOUT_ONE.includes(error.code)

/** Adds partners one after the other, each with their link, and invites those with an email address. */
export const useAddPartners = (programId: number) => {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null)
  const add = async (partner: NewPartner, groupId: number | undefined) =>
    call(`post ${PARTNERS}`, {
      programId,
      body: { ...partner, status: 'approved', ...(groupId !== undefined && { groupId }) },
    })
  const invite = async (partner: WrittenPartner) => {
    try {
      return await call(`post ${PARTNERS}/{partnerId}/invite`, { programId, partnerId: partner.id, body: {} })
    } catch (error) {
      return error instanceof Error ? error.message : 'The invitation failed.'
    }
  }
  const mutation = useMutation({
    mutationFn: async ({ partners, groupId, isInvited }: Input): Promise<Outcome> => {
      const outcome: Outcome = { added: [], refused: [] }
      for (const [done, one] of partners.entries()) {
        setProgress({ done, total: partners.length })
        try {
          const partner = await add(one, groupId)
          outcome.added.push({ partner, invitation: isInvited && partner.email ? await invite(partner) : null })
        } catch (error) {
          if (partners.length === 1 || (done === 0 && !isAboutOne(error))) throw error
          if (!isAboutOne(error)) return { ...outcome, stopped: error }
          outcome.refused.push({ partner: one, reason: error.message })
        }
      }
      return outcome
    },
    onSettled: () => {
      setProgress(null)
      return queries.invalidateQueries()
    },
    // Invitation links are secrets.
    gcTime: 0,
  })
  return { ...mutation, progress }
}
