import { isOnWebsites } from '@tributary/contract/origins'
import type { ReactNode } from 'react'
import { CopyButton } from '~/components/copy.tsx'
import { shareAddress, shownAddress } from './share-address.ts'

type Props = {
  link: { aff: string; destinationUrl: string | null }
  websites: string[]
  /** Shown if neither the link nor the program has a page. */
  noSite: ReactNode
  /** Warning for a link to another site. */
  elsewhere: string
}

/** The address of a link, with a button that copies exactly that. */
export const LinkAddress = ({ link: { aff, destinationUrl }, websites, noSite, elsewhere }: Props) => {
  const address = shareAddress({ aff, destinationUrl, websites })
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="min-w-0">
        <span className="wrap-anywhere block min-w-40 max-w-72 font-medium">
          {shownAddress({ aff, destinationUrl, websites })}
        </span>
        {!address && <span className="block font-normal text-faint text-xs">{noSite}</span>}
        {destinationUrl && !isOnWebsites(destinationUrl, websites) && (
          <span className="block font-normal text-warn-ink text-xs">{elsewhere}</span>
        )}
      </span>
      {address && <CopyButton text={address} label={`Copy link ${aff}`} iconOnly />}
    </span>
  )
}
