import { expect, test } from 'bun:test'
import { formatDate, noonOf } from '../src/format-time.ts'

test('noon of a day is the same for all its moments, in every time zone', () => {
  for (const timeZone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Niue', 'Asia/Kathmandu', 'America/New_York'])
    for (const text of ['2026-03-08T00:30:00.250Z', '2026-03-08T12:00:00.000Z', '2026-11-01T23:59:59.999Z']) {
      const at = new Date(text)
      const noon = noonOf(at, timeZone)
      expect([timeZone, text, formatDate(noon, timeZone)]).toEqual([timeZone, text, formatDate(at, timeZone)])
      expect(noonOf(noon, timeZone)).toEqual(noon)
    }
})
