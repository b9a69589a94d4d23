import type { Explanation } from '@tributary/contract'
import { loserReason } from './reason-text.ts'

export type RecordedClick = {
  key: string
  at: string
  partner: string
  link: string
  won: boolean
  why: string | null
}

export type Facts = NonNullable<Explanation['facts']>

export const recordedClicks = (clicks: Facts['clicks']): RecordedClick[] =>
  clicks.map(({ clickedAt, linkId, aff, partnerId, partnerName, why }, index) => ({
    key: `${clickedAt}-${index}`,
    at: clickedAt,
    partner: partnerName ?? `Partner ${partnerId}`,
    link: aff ? `Link code ${aff}` : `Link ${linkId}`,
    won: why === null,
    why: why && loserReason(why),
  }))
