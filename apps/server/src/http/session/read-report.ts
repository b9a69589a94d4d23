import type { PeriodQuery } from '@tributary/contract'
import type { ReportSource } from '../../database/reports.ts'
import { hasManyEvents } from '../../events/overview/volume.ts'
import type { Call, Dependencies } from '../context.ts'

type Report<Answer> = {
  name: string
  query: object
  period: PeriodQuery
  read: (source: ReportSource) => Promise<Answer>
}

/**
 * Reads a report about the program in the path: live from the database itself, however long it takes. Only if the period has many
 * events, reads the replica and keeps the answer, which then says so.
 */
export const readReport = async <Answer extends object>(
  c: Call,
  { reports, keptAnswers, clock }: Dependencies,
  { name, query, period, read }: Report<Answer>,
): Promise<Answer> => {
  const db = c.get('db')
  const program = c.get('program')
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
