import type { ExportFile } from '@tributary/contract'
import type { File } from '../../../platform/csv-pages.ts'
import { commissions } from './commissions.ts'
import { customers } from './customers.ts'
import { events } from './events.ts'
import { ledger } from './ledger.ts'
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
