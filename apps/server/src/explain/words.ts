import { type PartnerStatus, REASONS, REASONS_FOR_PARTNERS, type ReasonCode } from '@tributary/contract'
import { formatMoney } from '../format-money.ts'
import { formatDate, formatDateTime } from '../format-time.ts'

/** Who reads the answer. Partners see only themselves. */
export type Reader = { audience: 'merchant' } | { audience: 'partner'; partnerId: number | null }

export type Names = {
  timezone: string
  partners: Map<number, string>
  links: Map<number, string>
  /** Whose reward terms each version is: "the terms of the group Gold". */
  terms: Map<number, string>
}
export type Decimal = (amountCents: number, currency: string) => string

export type Words = ReturnType<typeof wordsFor>

/** How partners, links, clicks, amounts and times are written for a reader. Leaves out names the reader may not see. */
export const wordsFor = (reader: Reader, { names, decimal }: { names: Names; decimal: Decimal }) => {
  const isReader = (partnerId: number) => reader.audience === 'partner' && reader.partnerId === partnerId
  const canSee = (partnerId: number) => reader.audience === 'merchant' || isReader(partnerId)
  const partner = (id: number) =>
    isReader(id)
      ? 'you'
      : reader.audience === 'merchant'
        ? (names.partners.get(id) ?? `partner ${id}`)
        : 'another partner'
  const link = (id: number) => names.links.get(id) ?? `number ${id}`
  /** Partners read dates only: the time of day means nothing to them. */
  const when = (at: Date) => (reader.audience === 'merchant' ? formatDateTime : formatDate)(at, names.timezone)
  const day = (at: Date) => formatDate(at, names.timezone)
  const reason = (code: ReasonCode) => reasonFor(reader.audience, code)
  const termsName = (version: number | null) =>
    reader.audience === 'merchant' && version !== null
      ? `${names.terms.get(version) ?? DEFAULT_TERMS} (version ${version})`
      : null
  return {
    reader,
    canSee,
    when,
    day,
    reason,
    /** A reason as the second half of a sentence: "… because part of the sale was refunded." */
    because: (code: ReasonCode) => `because ${uncapitalize(reason(code))}`,
    partner,
    /** For merchants: "the program's default terms (version 2)". */
    termsName,
    terms: (version: number | null) => (termsName(version) === null ? '' : ` under ${termsName(version)}`),
    partnerName: (id: number) => names.partners.get(id) ?? null,
    aff: (id: number) => names.links.get(id) ?? null,
    money: (amountCents: number, currency: string) => formatMoney(decimal(amountCents, currency), currency),
    /** "the click on Maya's link maya on Oct 5, 2026, 2:03 PM UTC" */
    click: ({ linkId, partnerId, clickedAt }: { linkId: number; partnerId: number; clickedAt: Date }) =>
      canSee(partnerId)
        ? `the click on ${isReader(partnerId) ? 'your' : `${partner(partnerId)}’s`} link ${link(linkId)} on ${when(clickedAt)}`
        : 'a click on another partner’s link',
  }
}

export const DEFAULT_TERMS = 'the program’s default terms'

export const reasonFor = (audience: Reader['audience'], reason: ReasonCode) =>
  (audience === 'partner' && REASONS_FOR_PARTNERS[reason]) || REASONS[reason]

/** Why nothing is paid to a partner who is not approved. */
export const onHold = (status: PartnerStatus, audience: Reader['audience']) => {
  const isPartner = audience === 'partner'
  if (status === 'pending')
    return `not payable until ${isPartner ? 'the program approves you' : 'the partner is approved'}`
  return `held while ${isPartner ? 'you are' : 'the partner is'} ${status}`
}

export const uncapitalize = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
