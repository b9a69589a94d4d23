import { z } from 'zod'
import { descriptive, formatted, lenientAdditionalData } from './fields.ts'
import { MAX_URL_LENGTH } from './limits.ts'

const SIZE = /^\d{1,5}x\d{1,5}$/

/** POST /api/v1/track/click. `affiliate_url` may be anything here: the server has an error code of its own for each fault. */
export const clickRequest = z.object({
  affiliate_url: z.unknown().optional(),
  page_url: descriptive(MAX_URL_LENGTH).describe('Canonical URL of the page where the click occurred'),
  page_title: descriptive(512).describe('Page title at click time'),
  referrer_url: descriptive(MAX_URL_LENGTH).describe('Where the visitor came from'),
  session_id: descriptive(128).describe('Browser session identifier'),
  user_agent: descriptive(512).describe('Falls back to the HTTP `User-Agent` header'),
  screen_resolution: formatted(SIZE, 11).describe('Format `<width>x<height>`'),
  viewport_size: formatted(SIZE, 11).describe('Format `<width>x<height>`'),
  language: descriptive(35).describe('Browser language code, e.g. `en-GB`'),
  timezone: descriptive(64).describe('IANA timezone name'),
  existing_click_id: descriptive(255).describe('Previously issued `click_id` to reuse instead of generating a new one'),
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
