import type { PeriodQuery } from '@tributary/contract'
import { REPORTS } from '@tributary/contract/declared'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { ReportSource, Reports } from '../../database/reports.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { readAnalytics } from '../analytics/read-analytics.ts'
import { readCohorts } from '../analytics/read-cohorts.ts'
import { readBreakdown } from '../overview/breakdown.ts'
import { addDays } from '../overview/days.ts'
import type { KeptAnswers } from '../overview/kept-answers.ts'
import { readPerformance } from '../overview/performance.ts'
import { hasManyEvents } from '../overview/volume.ts'

type Tools = { reports: Reports; keptAnswers: KeptAnswers }

export const reports = (tools: Tools) => {
  const report = reportReader(tools)
  return runs(
    REPORTS,
    {},
    {
      performance: (input) => {
        const { program, query } = input
        const read = (source: ReportSource) =>
          readPerformance(source.db, { program, query, at: source.at, partnerId: query.partnerId })
        return report(input, { name: 'performance', period: query, read })
      },

      breakdown: (input) => {
        const { program, query } = input
        const read = (source: ReportSource) =>
          readBreakdown(source.db, { program, query, at: source.at, partnerId: query.partnerId })
        return report(input, { name: 'breakdown', period: query, read })
      },

      analytics: (input) => {
        const { program, query } = input
        const read = ({ db, at }: ReportSource) => readAnalytics(db, { program, query, at })
        return report(input, { name: 'analytics', period: query, read })
      },

      cohorts: (input) => {
        const { program, query, clock } = input
        const read = ({ db, at }: ReportSource) => readCohorts(db, { program, query, at })
        return report(input, { name: 'cohorts', period: daysWithin(clock(), query.months), read })
      },
    },
  )
}

/** Days that lie within the last months, in any time zone. */
const daysWithin = (at: Date, months: number): PeriodQuery => ({
  period: '30d',
  dateFrom: addDays(at.toISOString().slice(0, 10), 1 - 28 * (months - 1)),
})

type Input = { db: Database; program: Program; clock: Clock; query: object }
type Report<Answer> = { name: string; period: PeriodQuery; read: (source: ReportSource) => Promise<Answer> }

/**
 * Reads a report about a program: live from the database itself, however long it takes. Only if the period has many events, reads the
 * replica and keeps the answer, which then says so.
 */
const reportReader =
  ({ reports, keptAnswers }: Tools) =>
  async <Answer extends object>(
    { db, program, clock, query }: Input,
    { name, period, read }: Report<Answer>,
  ): Promise<Answer> => {
    const at = clock()
    if (!(await hasManyEvents(db, { program, query: period, at }))) return read({ db, at })
    // Everything a report depends on besides the events. The time zone and the currency can change.
    const settings = [program.id, program.timezone, program.currency]
    return keptAnswers({
      page: JSON.stringify([...settings, period.period, period.dateFrom, period.dateTo]),
      key: JSON.stringify([name, query]),
      compute: async () => ({ ...(await read(await reports(db))), kept: true }),
    })
  }
