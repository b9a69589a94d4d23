import { isOnWebsites } from '@tributary/contract'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'

/** A link leads to one of the program's websites, where it has any. */
export const refuseOtherSites = ({ websites }: Program, destinationUrl: string | null | undefined) => {
  if (!destinationUrl || isOnWebsites(destinationUrl, websites)) return
  throw new Refusal(
    'invalid_request',
    `destinationUrl must be a page of the program's website: ${websites.join(', ')}.`,
    { field: 'destinationUrl' },
  )
}
