/** Limits of branding and resources. The dashboard bundles this file, so it imports nothing. */

export const MAX_LOGO_BYTES = 256 * 1024
export const MAX_LOGO_PIXELS = 2_048
/** No SVG, which can contain scripts. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

export const MAX_AGREEMENT_LENGTH = 20_000
export const MAX_TITLE_LENGTH = 120
export const MAX_RESOURCE_TEXT_LENGTH = 5_000
export const MAX_RESOURCE_BYTES = 5 * 1024 * 1024
export const MAX_RESOURCES = 50

/** Files that partners can be given, by extension. Nothing that a browser or an operating system runs. */
export const RESOURCE_TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  csv: 'text/csv',
  zip: 'application/zip',
  mp4: 'video/mp4',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

export const MAX_QUESTIONS = 10
export const MAX_OPTIONS = 20
export const MAX_DOMAINS = 50
export const MAX_DECIDED = 100
export const MAX_DECISION_MESSAGE = 500
