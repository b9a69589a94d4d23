import { verifyEverything } from '../../apps/server/src/tracking/payments/verify-payments.ts'
import type { Benched } from '../scenarios/benched.ts'
import { findClickFaults } from './clicks.ts'
import { findMoneyFaults } from './money.ts'

const counted = (count: number, word: string) => `${count.toLocaleString('en')} ${word}`

/**
 * Checks that everything acknowledged is stored exactly once, and runs the checks of `npm run ledger:verify`, counters
 * included.
 */
export const verifyBenched = async (benched: Benched, progress: (text: string) => void) => {
  const { place, service, clicks, leads, sales, webhooks } = benched
  progress(`checking acknowledged calls (${place})`)
  const faults = [...(await findClickFaults(benched)), ...(await findMoneyFaults(benched))]
  progress(`recomputing ledger and counters (${place})`)
  const differences: string[] = []
  const { lines } = await verifyEverything(service.db, {
    sealedBefore: null,
    onProgram: (_, done) => differences.push(...done.differences),
  })
  const totals = [
    counted(clicks.names.length, 'clicks'),
    counted(leads.names.length, 'leads'),
    counted(sales.names.length, 'sales'),
    counted(webhooks.names.length, 'webhook events'),
  ].join(', ')
  const sentence = `${place}: all acknowledged ${totals} are stored exactly once; counters equal events; ${counted(lines, 'ledger lines')} recomputed, no difference.`
  return { sentence, faults: [...faults, ...differences].map((fault) => `${place}: ${fault}`) }
}
