import { isOnWebsites } from '@tributary/contract/origins'
import type { ReactNode } from 'react'
import { CopyButton } from '~/components/copy.tsx'
import { shareAddress } from './share-address.ts'

type Props = {
  link: { aff: string; destinationUrl: string | null }
  websites: string[]
  /** Shown if neither the link nor the program has a page. */
  noSite: ReactNode
  /** Warning for a link to another site. */
  elsewhere: string
}

const withoutScheme = (address: string) => address.replace(/^https?:\/\//, '')

/** A link's code and page, with a button to copy the full URL. */
export const LinkAddress = ({ link: { aff, destinationUrl }, websites, noSite, elsewhere }: Props) => {
  const address = shareAddress({ aff, destinationUrl, websites })
  const page = destinationUrl ?? websites[0]
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="min-w-0">
        <span className="block max-w-56 truncate font-medium" title={aff}>
          {aff}
        </span>
        <span className="block max-w-56 truncate font-normal text-faint text-xs">
          {page ? withoutScheme(page) : noSite}
        </span>
        {destinationUrl && !isOnWebsites(destinationUrl, websites) && (
          <span className="block font-normal text-warn-ink text-xs">{elsewhere}</span>
        )}
      </span>
      {address && <CopyButton text={address} label={`Copy link ${aff}`} iconOnly />}
    </span>
  )
}
