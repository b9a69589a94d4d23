import { z } from 'zod'
import { descriptivePattern, descriptiveText, lenientAdditionalData } from '../fields.ts'
import { MAX_URL_LENGTH } from '../limits.ts'

export const SCREEN_SIZE = /^\d{1,5}x\d{1,5}$/
export const MAX_SCREEN_SIZE_LENGTH = 11

/** Longer values are cut. */
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
const text = (field: keyof typeof CLICK_LENGTHS) => descriptiveText(CLICK_LENGTHS[field])

/** POST /api/v1/track/click. `affiliate_url` is checked by the server, which has an error code for each fault. */
export const clickRequest = z.object({
  affiliate_url: z.unknown().optional(),
  page_url: text('page_url').describe('Canonical URL of the page where the click occurred'),
  page_title: text('page_title').describe('Page title at click time'),
  referrer_url: text('referrer_url').describe('Where the visitor came from'),
  session_id: text('session_id').describe('Browser session identifier'),
  user_agent: text('user_agent').describe('Falls back to the HTTP `User-Agent` header'),
  screen_resolution: descriptivePattern(SCREEN_SIZE, MAX_SCREEN_SIZE_LENGTH).describe(
    'Screen size in the format `<width>x<height>`',
  ),
  viewport_size: descriptivePattern(SCREEN_SIZE, MAX_SCREEN_SIZE_LENGTH).describe(
    'Viewport size in the format `<width>x<height>`',
  ),
  language: text('language').describe('Browser language code, such as `en-GB`'),
  timezone: text('timezone').describe('IANA time zone name'),
  existing_click_id: text('existing_click_id').describe(
    'A `click_id` issued earlier, to reuse instead of generating a new one',
  ),
  additional_data: lenientAdditionalData.describe(
    'With `test_mode: true`, the call creates a test event that does not affect attribution. `program_id` names the program if no link matches',
  ),
})
export type ClickRequest = z.infer<typeof clickRequest>

/** For the OpenAPI document, which shows `affiliate_url` as the required string it is. */
export const documentedClickRequest = clickRequest.extend({
  affiliate_url: z.string().describe('Full URL including the `aff` query parameter'),
})

export const clickAnswer = z.strictObject({
  success: z.literal(true).describe('Always true: errors have another shape'),
  click_id: z.string().describe('Store it in a first-party cookie and send it with lead and sale calls'),
  partner_code: z.string().describe("The partner's short code"),
  cookie_window_days: z.int().describe("The program's attribution window in days"),
})

/** The response of every tracking call in test mode. */
export const testAnswer = z.strictObject({
  success: z.literal(true).describe('Always true: errors have another shape'),
  message: z.string().describe('Confirmation for a person'),
  data: z
    .strictObject({
      eventId: z.int().describe('ID of the test event'),
      programId: z.int().describe('Program of the test event'),
      test_mode: z.literal(true).describe('Nothing but the test event was recorded'),
    })
    .describe('The test event'),
})
