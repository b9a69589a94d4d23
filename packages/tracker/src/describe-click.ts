import { settings } from './settings.ts'

/** Fragments can contain tokens, and links do not need them. */
export const withoutFragment = (address: string) => address.split('#')[0] as string

/** Every field of the click call that the browser can provide. */
export const describeClick = (affiliateUrl: string, isTest: boolean) => ({
  referrer_url: document.referrer,
  page_title: document.title,
  page_url: withoutFragment((document.querySelector<HTMLLinkElement>('[rel=canonical]') || location).href),
  viewport_size: `${innerWidth}x${innerHeight}`,
  screen_resolution: `${screen.width}x${screen.height}`,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: navigator.language,
  user_agent: navigator.userAgent,
  affiliate_url: withoutFragment(affiliateUrl),
  additional_data: { test_mode: isTest, program_id: +settings.programId },
})
