import type { ClickRow } from '../../src/tracking/clicks/write-clicks.ts'

/** A click as tracking hands it to the writer, with only the fields that the test is about. */
export const clickRow = (aff: string, token: string, more: Partial<ClickRow> = {}): ClickRow => ({
  id: Bun.randomUUIDv7(),
  token,
  clickedAt: new Date(),
  aff,
  existingClickId: null,
  flags: 0,
  pageUrl: null,
  pageTitle: null,
  referrerUrl: null,
  sessionId: null,
  screenResolution: null,
  viewportSize: null,
  language: null,
  timezone: null,
  country: null,
  region: null,
  city: null,
  device: null,
  browser: null,
  operatingSystem: null,
  visitorHash: null,
  ...more,
})
