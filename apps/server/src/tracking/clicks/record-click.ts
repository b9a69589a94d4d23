import { AFF_PARAMETER, type ClickRequest, MAX_AFF_LENGTH } from '@tributary/contract'
import type { GroupCommit } from '../../database/group-commit.ts'
import { Refusal } from '../../refusal.ts'
import type { Visitor } from '../../visitors/visitor.ts'
import { newClickToken } from './click-ids.ts'
import type { ClickRow } from './click-statement.ts'
import type { OpenCodeLink } from './open-code-link.ts'
import type { WrittenClick } from './write-clicks.ts'

export type ClickWriter = GroupCommit<ClickRow, WrittenClick>
/** What makes a click this one and no other: written twice under one name, it is there once. */
export type ClickName = { id: string; token: string; clickedAt: Date }
export type RecordedClick = { clickId: string; partnerCode: string; cookieWindowDays: number }

const REFUSALS = {
  link_not_found: 'No referral link has this aff value. Check the link, or create it in the dashboard.',
  link_misconfigured: 'This referral link has no partner or no program yet. Complete it in the dashboard.',
  link_disabled: 'This referral link is switched off; no click was recorded.',
}

/** The `aff` value of the link that was followed. It is the only credential of a click. */
export const affOf = (affiliateUrl: unknown): string => {
  const field = 'affiliate_url'
  if (affiliateUrl === undefined || affiliateUrl === null || affiliateUrl === '')
    throw new Refusal(
      'missing_affiliate_url',
      'Send affiliate_url: the full address of the page, including its aff parameter.',
      { field },
    )
  const url = typeof affiliateUrl === 'string' ? URL.parse(affiliateUrl) : null
  if (!url)
    throw new Refusal(
      'invalid_affiliate_url',
      'affiliate_url is not a full URL such as https://example.com/?aff=partner.',
      { field },
    )
  const aff = firstAffIn(url)
  if (!aff)
    throw new Refusal('missing_aff', 'affiliate_url has no aff parameter, so there is no referral to record.', {
      field,
    })
  return aff
}

const AFF = new RegExp(`(?:^\\?|&)${AFF_PARAMETER}(?:=([^&]*)|(?=&|$))`)

/** `searchParams` takes the whole query apart, which costs thrice as much; where nothing is encoded it need not be. */
export const firstAffIn = (url: URL) => {
  const { search } = url
  return /[%+]/.test(search) ? url.searchParams.get(AFF_PARAMETER) : AFF.exec(search)?.[1]
}

export const nameClick = (clickedAt: Date): ClickName => ({
  id: Bun.randomUUIDv7(),
  token: newClickToken(clickedAt),
  clickedAt,
})

/** Every click on a link is recorded, counted and answered once all of that is committed. */
export const recordClick = async (
  { clicks, openCodeLink }: { clicks: ClickWriter; openCodeLink: OpenCodeLink },
  { name, request, visitor }: { name: ClickName; request: ClickRequest; visitor: Visitor },
): Promise<RecordedClick> => {
  const aff = affOf(request.affiliate_url)
  if (aff.length > MAX_AFF_LENGTH || aff.includes('\0')) throw refusedLink('link_not_found')
  const click = {
    ...name,
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
  // A partner's code in place of a link: only clicks that no link takes pay for this look-up.
  if (written.refusal === 'link_not_found') {
    const refusal = await openCodeLink(aff)
    if (refusal) throw refusedLink(refusal)
    written = await clicks.submit(click)
  }
  if (written.refusal) throw refusedLink(written.refusal)
  return { clickId: written.click_id, partnerCode: written.partner_code, cookieWindowDays: written.cookie_window_days }
}

const refusedLink = (code: keyof typeof REFUSALS) => new Refusal(code, REFUSALS[code], { field: 'affiliate_url' })
