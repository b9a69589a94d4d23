import type { Explanation, TimelineEntry } from '@tributary/contract'
import { loserReason } from './reason-words.ts'

/** A click as it is drawn: `won` is null where nobody kept which one it was. */
export type RecordedClick = {
  key: string
  at: string
  partner: string
  link: string
  won: boolean | null
  why: string | null
}

type Facts = NonNullable<Explanation['facts']>

export const recordedClicks = (clicks: Facts['clicks']): RecordedClick[] =>
  clicks.map(({ clickedAt, linkId, aff, partnerId, partnerName, why }, index) => ({
    key: `${clickedAt}-${index}`,
    at: clickedAt,
    partner: partnerName ?? `Partner ${partnerId}`,
    link: aff ?? `Link ${linkId}`,
    won: why === null,
    why: why && loserReason(why),
  }))

const DRAWN = 12

/** Where no facts were kept, the clicks of the customer up to then still say which way they came. */
export const clicksOfTimeline = (timeline: TimelineEntry[], until: string): RecordedClick[] =>
  timeline
    .filter(({ event, at }) => event === 'click' && at <= until)
    .slice(-DRAWN)
    .map(({ id, at, linkId, aff, partnerName }) => ({
      key: id,
      at,
      partner: partnerName ?? 'Nobody',
      link: aff ?? `Link ${linkId}`,
      won: null,
      why: null,
    }))
