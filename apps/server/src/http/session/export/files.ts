import type { ExportFile } from '@tributary/contract'
import { commissions } from './commissions.ts'
import { customers } from './customers.ts'
import { events } from './events.ts'
import type { File } from './file.ts'
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
