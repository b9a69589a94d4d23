import { isOnWebsites } from '@tributary/contract/origins'
import type { ReactNode } from 'react'
import { CopyButton } from '~/components/copy.tsx'
import { shareAddress } from './share-address.ts'

type Props = {
  link: { aff: string; destinationUrl: string | null }
  websites: string[]
  /** In place of the page, where there is none to lead to. */
  noSite: ReactNode
  /** Said of a link that leads elsewhere. */
  elsewhere: string
}

const withoutScheme = (address: string) => address.replace(/^https?:\/\//, '')

/** A link by its word and its page, with the whole address to copy. */
export const LinkAddress = ({ link: { aff, destinationUrl }, websites, noSite, elsewhere }: Props) => {
  const address = shareAddress({ aff, destinationUrl, websites })
  const page = destinationUrl ?? websites[0]
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="min-w-0">
        <span className="block max-w-56 truncate font-medium" title={aff}>
          {aff}
        </span>
        <span className="block max-w-72 truncate font-normal text-faint text-xs">
          {page ? withoutScheme(page) : noSite}
        </span>
        {destinationUrl && !isOnWebsites(destinationUrl, websites) && (
          <span className="block font-normal text-warn-ink text-xs">{elsewhere}</span>
        )}
      </span>
      {address && <CopyButton text={address} label={`Copy the link ${aff}`} iconOnly />}
    </span>
  )
}
