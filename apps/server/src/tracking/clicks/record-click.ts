import { AFF_PARAMETER, adEvidenceIn, type ClickRequest, DATA_CENTER, MAX_AFF_LENGTH } from '@tributary/contract'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { GroupCommit } from '../../database/group-commit.ts'
import { inTransaction } from '../../database/transaction.ts'
import { findCodeOwner } from '../../partners/code-links.ts'
import { insertCodeLink } from '../../partners/referral-links.ts'
import { Refusal } from '../../refusal.ts'
import type { Visitor } from '../../visitors/visitor.ts'
import { newClickToken } from './click-ids.ts'
import type { ClickRow, WrittenClick } from './write-clicks.ts'

export type ClickWriter = GroupCommit<ClickRow, WrittenClick>
/** Generated once per click, so a retried write is stored only once. */
export type ClickIdentity = { id: string; token: string; clickedAt: Date }
export type RecordedClick = { clickId: string; partnerCode: string; cookieWindowDays: number }

const REFUSALS = {
  link_not_found: 'No referral link has this aff value. Check the URL, or create the link in the dashboard.',
  link_misconfigured: 'This referral link has no partner or program yet. Complete it in the dashboard.',
  link_disabled:
    'This referral link is disabled, so no click was recorded. Check the link and its partner in the dashboard.',
  consent_refused:
    'The browser sends Global Privacy Control, which this program treats as consent refused, so no click was recorded.',
}

/** The `aff` value is the only credential of a click. `search` is the query that it stands in. */
export const readAffiliateUrl = (affiliateUrl: unknown): { aff: string; search: string } => {
  const field = 'affiliate_url'
  if (affiliateUrl === undefined || affiliateUrl === null || affiliateUrl === '')
    throw new Refusal(
      'missing_affiliate_url',
      'affiliate_url is missing. Send the full URL of the page, including its aff parameter.',
      { field },
    )
  const url = typeof affiliateUrl === 'string' ? URL.parse(affiliateUrl) : null
  if (!url)
    throw new Refusal(
      'invalid_affiliate_url',
      'affiliate_url must be a full URL such as https://example.com/?aff=partner.',
      { field },
    )
  const aff = findAff(url)
  if (!aff)
    throw new Refusal('missing_aff', 'affiliate_url has no aff parameter. Send the full URL of the referral link.', {
      field,
    })
  return { aff, search: url.search }
}

const AFF = new RegExp(`(?:^\\?|&)${AFF_PARAMETER}(?:=([^&]*)|(?=&|$))`)

/** `searchParams` parses the whole query and takes three times as long, so it is used only if the query is encoded. */
export const findAff = (url: URL) => {
  const { search } = url
  return /[%+]/.test(search) ? url.searchParams.get(AFF_PARAMETER) : AFF.exec(search)?.[1]
}

export const newClickIdentity = (clickedAt: Date): ClickIdentity => ({
  id: Bun.randomUUIDv7(),
  token: newClickToken(clickedAt),
  clickedAt,
})

/** Resolves once the click and its counts are committed. */
export const recordClick = async (
  { clicks, openCodeLink }: { clicks: ClickWriter; openCodeLink: OpenCodeLink },
  {
    identity,
    request,
    visitor,
    privacyControl,
  }: { identity: ClickIdentity; request: ClickRequest; visitor: Visitor; privacyControl: boolean },
): Promise<RecordedClick> => {
  const { aff, search } = readAffiliateUrl(request.affiliate_url)
  if (aff.length > MAX_AFF_LENGTH || aff.includes('\0')) throw linkRefusal('link_not_found')
  const evidence = adEvidenceIn(search) | (visitor.isDataCenter ? DATA_CENTER : 0)
  const click = {
    ...identity,
    aff,
    existingClickId: request.existing_click_id,
    flags: (privacyControl ? 1 : 0) | (evidence << 1),
    pageUrl: request.page_url,
    pageTitle: request.page_title,
    referrerUrl: request.referrer_url,
    sessionId: request.session_id,
    screenResolution: request.screen_resolution,
    viewportSize: request.viewport_size,
    language: request.language,
    timezone: request.timezone,
    ...visitor,
  }
  let written = await clicks.submit(click)
  // The value may be a partner's code. Only clicks without a link pay for this lookup.
  if (written.refusal === 'link_not_found') {
    const refusal = await openCodeLink(aff)
    if (refusal) throw linkRefusal(refusal)
    written = await clicks.submit(click)
  }
  if (written.refusal) throw linkRefusal(written.refusal)
  return { clickId: written.click_id, partnerCode: written.partner_code, cookieWindowDays: written.cookie_window_days }
}

const linkRefusal = (code: keyof typeof REFUSALS) => new Refusal(code, REFUSALS[code], { field: 'affiliate_url' })

type CodeRefusal = 'link_not_found' | 'link_disabled'
type OpenCodeLink = (aff: string) => Promise<CodeRefusal | null>

/**
 * A partner's code also works as `aff`. The first click on a code creates a link with that name, so later clicks take the normal
 * path. Concurrent clicks with the same unknown value share one lookup.
 */
export const createCodeLinkOpener = ({ db, clock }: { db: Database; clock: Clock }): OpenCodeLink => {
  const running = new Map<string, Promise<CodeRefusal | null>>()
  return (aff) => {
    const known = running.get(aff)
    if (known) return known
    const opening = openCodeLink(db, { aff, at: clock() }).finally(() => running.delete(aff))
    running.set(aff, opening)
    return opening
  }
}

const openCodeLink = async (db: Database, { aff, at }: { aff: string; at: Date }): Promise<CodeRefusal | null> => {
  const owner = await findCodeOwner(db, aff)
  if (!owner) return 'link_not_found'
  const { programId, partnerId, takesClicks } = owner
  if (!takesClicks) return 'link_disabled'
  await inTransaction(db, async (tx) => {
    const after = await insertCodeLink(tx, { programId, partnerId, aff, createdAt: at })
    if (!after) return
    await recordAudit(tx, { programId, userId: null, action: 'link created', subject: `link ${aff}`, after, at })
  })
  return null
}
