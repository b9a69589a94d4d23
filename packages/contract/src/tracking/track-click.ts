import { z } from 'zod'
import { descriptive, formatted, lenientAdditionalData } from '../fields.ts'
import { MAX_URL_LENGTH } from '../limits.ts'

export const SCREEN_SIZE = /^\d{1,5}x\d{1,5}$/
export const MAX_SCREEN_SIZE_LENGTH = 11

/** What is longer is cut. */
export const CLICK_LENGTHS = {
  page_url: MAX_URL_LENGTH,
  page_title: 512,
  referrer_url: MAX_URL_LENGTH,
  session_id: 128,
  user_agent: 512,
  language: 35,
  timezone: 64,
  existing_click_id: 255,
}
const text = (field: keyof typeof CLICK_LENGTHS) => descriptive(CLICK_LENGTHS[field])

/** POST /api/v1/track/click. `affiliate_url` may be anything here: the server has an error code of its own for each fault. */
export const clickRequest = z.object({
  affiliate_url: z.unknown().optional(),
  page_url: text('page_url').describe('Canonical URL of the page where the click occurred'),
  page_title: text('page_title').describe('Page title at click time'),
  referrer_url: text('referrer_url').describe('Where the visitor came from'),
  session_id: text('session_id').describe('Browser session identifier'),
  user_agent: text('user_agent').describe('Falls back to the HTTP `User-Agent` header'),
  screen_resolution: formatted(SCREEN_SIZE, MAX_SCREEN_SIZE_LENGTH).describe('Format `<width>x<height>`'),
  viewport_size: formatted(SCREEN_SIZE, MAX_SCREEN_SIZE_LENGTH).describe('Format `<width>x<height>`'),
  language: text('language').describe('Browser language code, e.g. `en-GB`'),
  timezone: text('timezone').describe('IANA timezone name'),
  existing_click_id: text('existing_click_id').describe(
    'Previously issued `click_id` to reuse instead of generating a new one',
  ),
  additional_data: lenientAdditionalData.describe(
    'With `test_mode` true, a test event is created that does not affect production attribution',
  ),
})
export type ClickRequest = z.infer<typeof clickRequest>

/** The same as a caller should read it. */
export const documentedClickRequest = clickRequest.extend({
  affiliate_url: z.string().describe('Full URL including the `aff` query parameter'),
})

export const clickAnswer = z.strictObject({
  success: z.literal(true),
  click_id: z.string().describe('Store it in a first-party cookie and pass it to lead and sale calls'),
  partner_code: z.string().describe('Short partner code resolved from the link'),
  cookie_window_days: z.int().describe('Attribution window in days set by the program'),
})

/** What every tracking call answers in test mode. */
export const testAnswer = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: z.strictObject({ eventId: z.int(), programId: z.int(), test_mode: z.literal(true) }),
})
