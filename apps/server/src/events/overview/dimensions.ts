import { type RawBuilder, sql } from 'kysely'

/** What a click is broken down by, and how each is read from the event. */
export const DIMENSIONS = ['country', 'device', 'browser', 'os', 'referrer', 'landing'] as const
export type Dimension = (typeof DIMENSIONS)[number]

const MAX_LENGTH = 300

/**
 * Only the host of a referrer and only the path of a page: what stands behind a `?` can be anybody's. No host has a `(`, so
 * nobody can pass for `(other)`.
 */
const EXPRESSIONS: Record<Dimension, string> = {
  country: 'click.country',
  device: 'click.device',
  browser: 'click.browser',
  os: 'click.operating_system',
  referrer: String.raw`regexp_replace(lower(substring(click.referrer_url from '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:(]+)')), '^www\.', '')`,
  landing: `regexp_replace(substring(click.page_url from '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^?#(][^?#]*)'), '/+$', '')`,
}

/** `''` where it is not known. */
export const valueIn = (dimension: Dimension): RawBuilder<string> =>
  sql`coalesce(left(${sql.raw(EXPRESSIONS[dimension])}, ${sql.lit(MAX_LENGTH)}), '')`

/** A row for each dimension of a click. */
export const everyDimension = sql`(VALUES ${sql.join(
  DIMENSIONS.map((dimension) => sql`(${sql.lit(dimension)}, ${valueIn(dimension)})`),
)}) broken(dimension, value)`
