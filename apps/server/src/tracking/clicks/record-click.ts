import { AFF_PARAMETER, type ClickRequest, MAX_AFF_LENGTH } from '@tributary/contract'
import type { GroupCommit } from '../../database/group-commit.ts'
import { Refusal } from '../../refusal.ts'
import type { Visitor } from '../../visitors/visitor.ts'
import { newClickToken } from './click-ids.ts'
import type { ClickRow } from './click-statement.ts'
import type { OpenCodeLink } from './open-code-link.ts'
import type { WrittenClick } from './write-clicks.ts'

export type ClickWriter = GroupCommit<ClickRow, WrittenClick>
/** Generated once per click, so a retried write is stored only once. */
export type ClickIdentity = { id: string; token: string; clickedAt: Date }
export type RecordedClick = { clickId: string; partnerCode: string; cookieWindowDays: number }

const REFUSALS = {
  link_not_found: 'No referral link has this aff value. Check the URL, or create the link in the dashboard.',
  link_misconfigured: 'This referral link has no partner or program yet. Complete it in the dashboard.',
  link_disabled:
    'This referral link is disabled, so no click was recorded. Check the link and its partner in the dashboard.',
}

/** The `aff` value is the only credential of a click. */
export const readAff = (affiliateUrl: unknown): string => {
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
  return aff
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
  { identity, request, visitor }: { identity: ClickIdentity; request: ClickRequest; visitor: Visitor },
): Promise<RecordedClick> => {
  const aff = readAff(request.affiliate_url)
  if (aff.length > MAX_AFF_LENGTH || aff.includes('\0')) throw linkRefusal('link_not_found')
  const click = {
    ...identity,
    aff,
    existingClickId: request.existing_click_id,
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
