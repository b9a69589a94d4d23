import { expect, test } from 'bun:test'
import { createProgramRequest } from '@tributary/contract'
import { startTestService } from './support/service.ts'

const { pool } = await startTestService()
const MOMENTS = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']

const isTaken = (timezone: string) => createProgramRequest.safeParse({ name: 'x', timezone }).success

/** Every name that either side knows, also in odd cases, and names that only old software knows. */
const everyName = async () => {
  const { rows } = await pool.query('SELECT name FROM pg_timezone_names UNION SELECT abbrev FROM pg_timezone_abbrevs')
  const known = [...Intl.supportedValuesOf('timeZone'), ...rows.map((row) => row.name as string)]
  const odd = [
    'utc',
    'gmt',
    'europe/berlin',
    'SystemV/EST5',
    'Etc/GMT+5',
    'Etc/GMT-14',
    'posix/Asia/Tokyo',
    'A/B',
    'UTC/',
  ]
  return [...new Set([...known, ...odd])]
}

const inIntl = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return MOMENTS.map((moment) => format.format(new Date(moment)))
}

const inPostgres = async (timezone: string) => {
  const local = 'SELECT (moment AT TIME ZONE $1)::text AS local FROM unnest($2::timestamptz[]) AS moment'
  const { rows } = await pool.query(local, [timezone, MOMENTS])
  return rows.map((row) => row.local)
}

test('every accepted time zone is the same in Postgres and in Intl, in winter and in summer', async () => {
  const taken = (await everyName()).filter(isTaken)
  expect(taken.length).toBeGreaterThan(400)
  for (const timezone of taken)
    expect([timezone, ...(await inPostgres(timezone))]).toEqual([timezone, ...inIntl(timezone)])
})

test('names with a slash are accepted, and UTC and GMT', async () => {
  const bare = (await everyName()).filter((name) => isTaken(name) && !name.includes('/'))
  expect(bare.toSorted()).toEqual(['GMT', 'UTC', 'gmt', 'utc'])
  for (const timezone of ['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'US/Pacific'])
    expect(isTaken(timezone)).toBe(true)
})
