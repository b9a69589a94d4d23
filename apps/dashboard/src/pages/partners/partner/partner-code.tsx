import type { PartnerDetail } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { linkState } from '~/pages/links/link-state.ts'
import { NoWebsite } from '~/pages/links/no-website.tsx'
import { shareAddress } from '~/pages/links/share-address.ts'

const SHAREABLE = 'The partner can share this right away.'

const notALink = (code: string) =>
  `The code “${code}” doesn’t work as a link because another link or partner uses it. Change the code, or create a link for this partner.`

/** Says so right after the code was chosen, too. */
export const warnIfTaken = ({ code, codeAsAff }: Pick<PartnerDetail, 'code' | 'codeAsAff'>) => {
  if (codeAsAff === 'taken') toast.failed(notALink(code))
}

/** The code works as an `aff` value even without a link. */
export const PartnerCode = ({ partner }: { partner: PartnerDetail }) => {
  const { code, codeAsAff, formerCodes } = partner
  const { program } = useProgram()
  const state = linkState({ active: true, partnerStatus: partner.status, partnerArchived: partner.archived })
  const isShareable = codeAsAff === 'works' && state === 'active' && partner.status === 'approved'
  const address = shareAddress({ aff: code, destinationUrl: null, websites: program.websites })
  return (
    <Card>
      <CardHeader
        title="Default link"
        {...(isShareable && { description: SHAREABLE })}
        {...(codeAsAff === 'works' && state !== 'active' && { actions: <StateChip state={state} /> })}
      />
      <div className="flex flex-col gap-2 px-5 pt-3 pb-5 text-sm">
        {codeAsAff === 'works' ? (
          <p className="flex min-w-0 items-center justify-between gap-3">
            <span className="min-w-0 truncate font-medium">{address?.replace(/^https?:\/\//, '') ?? code}</span>
            {address ? <CopyButton text={address} label="Copy link" iconOnly /> : <NoWebsite />}
          </p>
        ) : (
          <p className="text-warn-ink">{notALink(code)}</p>
        )}
        {formerCodes.length > 0 && <p className="text-faint text-xs">Former codes: {formerCodes.join(', ')}</p>}
      </div>
    </Card>
  )
}
