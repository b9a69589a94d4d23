import { type RawBuilder, sql } from 'kysely'

/** Breakdown dimensions and how each is read from a click. */
export const DIMENSIONS = ['country', 'device', 'browser', 'os', 'referrer', 'landing'] as const
export type Dimension = (typeof DIMENSIONS)[number]

const MAX_LENGTH = 300

/**
 * Only the referrer's host and the page's path, because a query string may contain personal data. Values with a `(` are
 * rejected, so none can be mistaken for `(other)`.
 */
const EXPRESSIONS: Record<Dimension, string> = {
  country: 'click.country',
  device: 'click.device',
  browser: 'click.browser',
  os: 'click.operating_system',
  referrer: String.raw`regexp_replace(lower(substring(click.referrer_url from '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:(]+)')), '^www\.', '')`,
  landing: `regexp_replace(substring(click.page_url from '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^?#(][^?#]*)'), '/+$', '')`,
}

/** `''` if unknown. */
export const valueIn = (dimension: Dimension): RawBuilder<string> =>
  sql`coalesce(left(${sql.raw(EXPRESSIONS[dimension])}, ${sql.lit(MAX_LENGTH)}), '')`

/** One row per dimension of a click. */
export const everyDimension = sql`(VALUES ${sql.join(
  DIMENSIONS.map((dimension) => sql`(${sql.lit(dimension)}, ${valueIn(dimension)})`),
)}) broken(dimension, value)`
