import { Link } from '@tanstack/react-router'
import { Link2, QrCode } from 'lucide-react'
import { useState } from 'react'
import { type PortalLink, usePortalLinks } from '~/api/portal.ts'
import { Card } from '~/components/card.tsx'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { shareAddress, shownAddress } from '~/pages/links/share-address.ts'
import { ShareLink } from '~/pages/links/share-link.tsx'
import { noClicksText, usePartnership } from '../portal-context.ts'

export const MainLink = () => {
  const partnership = usePartnership()
  const links = usePortalLinks(partnership.programId, { pageSize: 25 })
  const noClicks = noClicksText(partnership)
  const pickLink = (rows: PortalLink[]) => rows.find(({ active }) => active) ?? (noClicks ? rows[0] : undefined)
  return (
    <Card className="px-5 py-4">
      <QueryView
        query={links}
        loading={
          <Loading>
            <Skeleton className="h-10 w-full" />
          </Loading>
        }
        isEmpty={({ data }) => !pickLink(data)}
        empty={<NoLink noClicks={noClicks} />}
      >
        {({ data }) => {
          const link = pickLink(data)
          return link && <LinkSummary link={link} noClicks={noClicks} />
        }}
      </QueryView>
    </Card>
  )
}

const LinkSummary = ({ link, noClicks }: { link: PortalLink; noClicks: string | null }) => {
  const { websites } = usePartnership()
  const [isSharing, setSharing] = useState(false)
  const address = shareAddress({ ...link, websites })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 flex-1 basis-80">
        <h2 className="text-soft text-sm">Your link</h2>
        <p className="wrap-anywhere mt-0.5 font-semibold text-xl tracking-tight">
          {shownAddress({ ...link, websites })}
        </p>
        {noClicks && <p className="mt-1 text-soft text-sm">{noClicks}</p>}
      </div>
      {!noClicks && (
        <div className="flex gap-2">
          {address && <CopyButton text={address} label="Copy link" look="primary" size="medium" />}
          <Button onClick={() => setSharing(true)}>
            <QrCode aria-hidden /> Share
          </Button>
        </div>
      )}
      <ShareLink link={isSharing ? link : null} websites={websites} onClose={() => setSharing(false)} />
    </div>
  )
}

const NoLink = ({ noClicks }: { noClicks: string | null }) => {
  const { programId, programName, mayCreateLinks } = usePartnership()
  if (noClicks) return <p className="text-soft text-sm">You have no links.</p>
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="flex items-center gap-2 text-soft text-sm">
        <Link2 aria-hidden className="size-4 shrink-0 text-faint" />
        {mayCreateLinks
          ? 'You have no links yet. Create one to start earning.'
          : `You have no links yet. Ask ${programName} for one.`}
      </p>
      {mayCreateLinks && (
        <Link
          to="/portal/$programId/links"
          params={{ programId: String(programId) }}
          className={buttonClass({ look: 'primary' })}
        >
          Create link
        </Link>
      )}
    </div>
  )
}
