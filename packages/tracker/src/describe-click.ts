import { settings } from './settings.ts'

/** Every field of the click call that a browser knows. */
export const describeClick = (affiliateUrl: string, isTest: boolean) => ({
  affiliate_url: affiliateUrl,
  page_url: (document.querySelector<HTMLLinkElement>('link[rel=canonical]') || location).href,
  page_title: document.title,
  referrer_url: document.referrer,
  user_agent: navigator.userAgent,
  screen_resolution: `${screen.width}x${screen.height}`,
  viewport_size: `${innerWidth}x${innerHeight}`,
  language: navigator.language,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  additional_data: { test_mode: isTest, program_id: +settings.programId },
})
