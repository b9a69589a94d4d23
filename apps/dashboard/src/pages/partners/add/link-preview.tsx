import { isDevelopmentSite } from '@tributary/contract/origins'
import { codeFromName } from '@tributary/contract/partner-code'
import { useProgram } from '~/app/program-context.ts'
import { formatNumber } from '~/components/format/format.ts'
import { NoWebsite } from '~/pages/links/no-website.tsx'
import { shareAddress } from '~/pages/links/share-address.ts'

/** The link that a partner with this name or code will get. Another one with the same code makes it a little longer. */
export const LinkPreview = ({ name, code, more = 0 }: { name: string; code: string; more?: number }) => {
  const { program } = useProgram()
  const aff = code || codeFromName(name)
  const address = shareAddress({ aff: aff ?? '…', destinationUrl: null, websites: program.websites })
  return (
    <div className="rounded-lg border border-line bg-sunken px-3 py-2 text-sm" data-testid="link-preview">
      <p className="text-faint text-xs">
        {more > 0 ? `First link, and ${formatNumber(more)} more like it` : 'Their link'}
      </p>
      <p className="mt-0.5 break-all font-medium">{address ? decodeURI(address) : <NoWebsite />}</p>
      <DevelopmentNote />
    </div>
  )
}

/** Says so where links lead to a computer that customers cannot reach. */
export const DevelopmentNote = () => {
  const { program } = useProgram()
  const [website] = program.websites
  if (!website || !isDevelopmentSite(website)) return null
  return (
    <p className="mt-1 text-warn-ink text-xs">
      Opens only on your computer or network. Add your real website in the settings as the first one, and links lead
      there.
    </p>
  )
}
