import type { ExportFile } from '@tributary/contract'
import { ledger } from '../../../money/ledger/ledger-file.ts'
import { commissions } from '../../../money/operations/commission-file.ts'
import type { File } from '../../../platform/csv-pages.ts'
import { customers } from './customers.ts'
import { events } from './events.ts'
import { links } from './links.ts'
import { partners } from './partners.ts'
import { payouts } from './payouts.ts'
import { sales } from './sales.ts'

export const EXPORTS: Record<ExportFile, File> = {
  events,
  customers,
  sales,
  commissions,
  ledger,
  partners,
  links,
  payouts,
}
