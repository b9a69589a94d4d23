import {
  type LinkTarget,
  type Part,
  type PartnerStatus,
  REASONS,
  REASONS_FOR_PARTNERS,
  type ReasonCode,
  say,
} from '@tributary/contract'
import { noonOf } from '../format-time.ts'

/** Who reads the answer. Partners see only themselves. */
export type Reader = { audience: 'merchant' } | { audience: 'partner'; partnerId: number | null }

export type Names = {
  timezone: string
  partners: Map<number, string>
  links: Map<number, string>
  codes: Map<number, string>
  /** Whose reward terms each version is: "the terms of the group Gold". */
  terms: Map<number, string>
}

export type Words = ReturnType<typeof wordsFor>

/** How partners, links, clicks, amounts and times are written for a reader. Leaves out names the reader may not see. */
export const wordsFor = (reader: Reader, names: Names) => {
  const isPartner = reader.audience === 'partner'
  const isReader = (partnerId: number) => isPartner && reader.partnerId === partnerId
  const canSee = (partnerId: number) => !isPartner || isReader(partnerId)
  const link = (to: LinkTarget, id: number, text: string): Part => ({ type: 'link', text, to, id })
  const time = (at: Date, precision: 'day' | 'minute'): Part => ({
    type: 'time',
    at: (isPartner ? noonOf(at, names.timezone) : at).toISOString(),
    timeZone: names.timezone,
    precision,
  })
  /** Partners read dates only: the time of a click would tell them which of their visitors bought. */
  const when = (at: Date) => time(at, isPartner ? 'day' : 'minute')
  const partner = (id: number): Part | string => {
    if (isPartner) return isReader(id) ? 'you' : 'another partner'
    return link('partner', id, names.partners.get(id) ?? `partner ${id}`)
  }
  const money = (amountCents: number, currency: string): Part => ({ type: 'amount', amountCents, currency })
  const reason = (code: ReasonCode, status?: PartnerStatus | null) =>
    code === 'partner_suspended' && status !== undefined && !isPartner
      ? `The partner was ${status === 'suspended' || status === 'rejected' ? status : 'not active when it was earned'}.`
      : reasonFor(reader.audience, code)
  return {
    reader,
    isPartner,
    canSee,
    when,
    day: (at: Date) => time(at, 'day'),
    money,
    reward: (reward: { amountCents: number; currency: string }) => money(reward.amountCents, reward.currency),
    partner,
    /** Only for merchants: partners have no such pages. */
    linkTo: (to: LinkTarget, id: number, text: string) => (isPartner ? text : link(to, id, text)),
    partnerName: (id: number) => names.partners.get(id) ?? null,
    /** The text of the credited code. */
    code: ({ code, codeId }: { code?: string; codeId?: number }) => code ?? names.codes.get(codeId ?? 0) ?? null,
    aff: (id: number) => names.links.get(id) ?? null,
    /** A reason names both statuses of a partner who is not active; with the current one, it says which. */
    reason,
    /** A reason as the second half of a sentence: "… because part of the sale was refunded." */
    because: (code: ReasonCode, status?: PartnerStatus | null) => {
      const text = reason(code, status)
      return `because ${text.charAt(0).toLowerCase()}${text.slice(1)}`
    },
    /** For merchants: "the program’s default terms (version 2)". */
    terms: (version: number | null) =>
      isPartner || version === null ? null : `${names.terms.get(version) ?? DEFAULT_TERMS} (version ${version})`,
    /** "the click on Maya's link maya on Oct 5, 2026, 2:03 PM UTC" */
    click: ({ linkId, partnerId, clickedAt }: { linkId: number | null; partnerId: number; clickedAt: Date }) => {
      if (!canSee(partnerId)) return say`a click on another partner’s link`
      const whose = isPartner ? 'your' : say`${partner(partnerId)}’s`
      return say`the click on ${whose} link ${names.links.get(linkId ?? 0) ?? `number ${linkId}`} on ${when(clickedAt)}`
    },
  }
}

export const DEFAULT_TERMS = 'the program’s default terms'

export const reasonFor = (audience: Reader['audience'], reason: ReasonCode) =>
  (audience === 'partner' && REASONS_FOR_PARTNERS[reason]) || REASONS[reason]
