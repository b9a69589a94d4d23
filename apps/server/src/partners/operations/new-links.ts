import { isOnWebsites } from '@tributary/contract'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'

/** If the program has websites, links must lead to one of them. */
export const refuseOtherSites = ({ websites }: Program, destinationUrl: string | null | undefined) => {
  if (!destinationUrl || isOnWebsites(destinationUrl, websites)) return
  throw new Refusal(
    'invalid_request',
    `destinationUrl must be on one of the program's websites: ${websites.join(', ')}.`,
    { field: 'destinationUrl' },
  )
}

type Link = { aff: string; partnerId: number | null; destinationUrl: string | null; active: boolean }

/** Audit log entry for a new link. */
export const linkCreated = ({ aff, partnerId, destinationUrl, active }: Link) => ({
  action: 'link created',
  subject: `link ${aff}`,
  after: { aff, partnerId, destinationUrl, active },
})
