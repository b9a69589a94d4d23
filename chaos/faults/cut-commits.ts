import { createConduct } from '../conduct.ts'
import { rewritesBatches } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { startOnExternalPostgres } from '../instance/external-postgres.ts'
import { createLedger } from '../ledger.ts'
import { CLICKS, openDatabaseProxy } from '../proxy/database-proxy.ts'
import { startVisitors } from '../traffic/visitors.ts'

/** Never two click batches in a row: the service retries a lost batch once, and reports a second loss to the caller. */
const CLICKS_BETWEEN_CUTS = 12
const OTHERS_BETWEEN_CUTS = 9

/** The worst time for a connection to break: the work is committed, and the service does not know. */
export const cutCommits: Fault = {
  name: 'cut-commits',
  promise: 'connections to Postgres cut after COMMIT and before its response: retries have one effect',
  rounds: { long: 10, short: 1 },
  control: {
    entry: rewritesBatches,
    wrong: 'writes a batch with a lost response again as a new one',
    finds: /clicks: stored more than once/,
  },
  play: async ({ stage, entry, rounds, log }) => {
    const commits = { clicks: 0, others: 0 }
    let cuts = 0
    let isCutting = false
    const cutAfterCommit = (application: string) => {
      if (!isCutting) return false
      const isDue =
        application === CLICKS
          ? ++commits.clicks % CLICKS_BETWEEN_CUTS === 0
          : ++commits.others % OTHERS_BETWEEN_CUTS === 0
      if (isDue) cuts++
      return isDue
    }
    const service = await startOnExternalPostgres(stage, {
      entry,
      between: (socketFolder) => openDatabaseProxy({ socketFolder, cutAfterCommit }),
    })
    const ledger = createLedger()
    const conduct = createConduct()
    const findings: string[] = []
    for (let round = 1; round <= rounds && findings.length === 0; round++) {
      isCutting = true
      const load = startVisitors({ ...service, ledger, conduct, visitors: 16, retries: true })
      await load.untilAcknowledged(300)
      isCutting = false
      await load.stop()
      findings.push(...(await service.check(ledger)))
      log(`round ${round}: ${ledger.count('acknowledged')} acknowledged so far, ${cuts} connections cut`)
    }
    const open = ledger.count('unknown') + ledger.count('refused')
    if (open > 0) findings.push(`${open} calls were never acknowledged, although they were retried`)
    if (cuts === 0) findings.push('no connection was cut')
    return {
      findings: [...findings, ...conduct.findings()],
      figures: `${ledger.count('acknowledged')} acknowledged, ${cuts} connections cut after COMMIT`,
    }
  },
}
