import { CopyButton } from '~/components/copy.tsx'
import { shareAddress } from './share-address.ts'

type Props = { link: { aff: string; destinationUrl: string | null }; anyPage: string }

/** A link by its word and its page, with the whole address to copy. */
export const LinkAddress = ({ link: { aff, destinationUrl }, anyPage }: Props) => {
  const address = shareAddress(aff, destinationUrl)
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="min-w-0">
        <span className="block max-w-56 truncate font-medium" title={aff}>
          {aff}
        </span>
        <span className="block max-w-72 truncate font-normal text-faint text-xs">
          {destinationUrl?.replace(/^https?:\/\//, '') ?? anyPage}
        </span>
      </span>
      <CopyButton text={address ?? `?aff=${encodeURIComponent(aff)}`} label={`Copy the link ${aff}`} iconOnly />
    </span>
  )
}
