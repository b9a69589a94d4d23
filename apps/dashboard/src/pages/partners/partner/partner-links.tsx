import { Link } from '@tanstack/react-router'
import type { LinkRow, PartnerDetail, ReferralLink } from '@tributary/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { formatCount } from '~/components/format/format.ts'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyLine, QueryView } from '~/components/states.tsx'
import { CreateLink } from '~/pages/links/create-link.tsx'
import { linkState } from '~/pages/links/link-state.ts'
import { shareAddress, shownAddress } from '~/pages/links/share-address.ts'
import { ShareLink } from '~/pages/links/share-link.tsx'
import { CARD_LINK } from './card-link.ts'
import { notALink } from './link-code.ts'

const SHOWN = 6

export const PartnerLinks = ({ partner }: { partner: PartnerDetail }) => {
  const { id: partnerId, code, codeAsAff, formerCodes } = partner
  const { program, may } = useProgram()
  const [isCreating, setCreating] = useState(false)
  const [shared, setShared] = useState<ReferralLink | null>(null)
  const create = (
    <Button size="small" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> Create link
    </Button>
  )
  const query = { partnerId, sort: '-clicks', pageSize: SHOWN }
  const links = useCall('get /api/programs/{programId}/links', { programId: program.id, query })
  return (
    <Card>
      <CardHeader title="Links" description={portalAccess(partner)} />
      {codeAsAff === 'taken' && <p className="px-5 pt-3 text-sm text-warn-ink">{notALink(code)}</p>}
      <QueryView
        query={links}
        loading={<SkeletonRows rows={SHOWN} />}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <EmptyLine title="No links yet" action={may('partner:manage') && create}>
            Create a link for this partner to share. Their clicks, leads and sales then appear here.
          </EmptyLine>
        }
      >
        {({ data }) => (
          <ul className="flex flex-col divide-y divide-line px-5 pt-2">
            {data.map((link) => (
              <LinkLine key={link.id} link={link} websites={program.websites} />
            ))}
          </ul>
        )}
      </QueryView>
      {formerCodes.length > 0 && (
        <p className="px-5 pt-1 pb-3 text-faint text-xs">Former codes: {formerCodes.join(', ')}</p>
      )}
      <Link
        to="/programs/$programId/links"
        params={{ programId: String(program.id) }}
        search={{ partnerId: String(partnerId) }}
        className={CARD_LINK}
      >
        View all links
      </Link>
      <CreateLink partnerId={partnerId} open={isCreating} onOpenChange={setCreating} onCreated={setShared} />
      <ShareLink link={shared} websites={program.websites} onClose={() => setShared(null)} />
    </Card>
  )
}

const portalAccess = ({ status, hasAccount, invitedUntil, email }: PartnerDetail) => {
  if (hasAccount && status === 'pending') return 'Once you approve the partner, they see these links in the portal.'
  if (hasAccount) return 'The partner sees these links in the portal.'
  if (invitedUntil) return 'The invitation to the portal is open. Until the partner accepts it, send the link yourself.'
  return email === null
    ? 'Not invited: without portal access, send the link yourself.'
    : 'No portal access yet: invite the partner, or send the link yourself.'
}

const LinkLine = ({ link, websites }: { link: LinkRow; websites: string[] }) => {
  const address = shareAddress({ ...link, websites })
  return (
    <li className="flex min-h-12 flex-wrap items-center justify-end gap-x-3 gap-y-1 py-2 text-sm">
      <span className="min-w-0 flex-1 basis-48">
        <span className="wrap-anywhere block font-medium">{shownAddress({ ...link, websites })}</span>
        <span className="block text-faint text-xs tabular-nums">
          {formatCount(link.clicks, 'click')} · {formatCount(link.leads, 'lead')} · {formatCount(link.sales, 'sale')}
        </span>
      </span>
      <StateChip state={linkState(link)} />
      {address && <CopyButton text={address} label={`Copy link ${link.aff}`} iconOnly />}
    </li>
  )
}
