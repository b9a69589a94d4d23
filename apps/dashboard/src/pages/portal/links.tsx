import { isOnWebsites } from '@tributary/contract/origins'
import { Link2, Plus, QrCode, TicketPercent } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type PortalLink, type PortalProgram, usePortalLinks } from '~/api/portal.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCount, formatNumber } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { ownLinkState } from '../links/link-state.ts'
import { shareAddress, shownAddress } from '../links/share-address.ts'
import { ShareLink } from '../links/share-link.tsx'
import { BEFORE_REVERSALS } from '../overview/metrics.ts'
import { PortalCodes } from './codes.tsx'
import { CreatePortalLink } from './create-link.tsx'
import { noClicksText, usePartnership } from './portal-context.ts'
import { RequestCode } from './request-code.tsx'

const PAGE_SIZE = 25

type LinksSearch = ListSearch & { [name in 'search']?: string | undefined }

const columnsFor = (partnership: PortalProgram): Column<PortalLink>[] => [
  { header: 'Link', cell: (link) => <Address link={link} websites={partnership.websites} />, sort: 'aff' },
  { header: 'Status', cell: ({ active }) => <StateChip state={ownLinkState(active, partnership)} /> },
  { header: 'Clicks', cell: ({ clicks }) => formatNumber(clicks), align: 'right', sort: 'clicks' },
  { header: 'Leads', cell: ({ leads }) => formatNumber(leads), align: 'right', sort: 'leads' },
  { header: 'Sales', cell: ({ sales }) => formatNumber(sales), align: 'right', sort: 'sales' },
  {
    header: 'Commissions',
    note: BEFORE_REVERSALS,
    cell: ({ commissions }) => <Amounts of={commissions} currency={partnership.currency} />,
    align: 'right',
  },
]

const phoneRowFor = (partnership: PortalProgram): PhoneRow<PortalLink> => ({
  name: ({ aff }) => aff,
  amount: ({ clicks }) => clicks > 0 && formatCount(clicks, 'click'),
  status: (link) => (
    <>
      <StateChip state={ownLinkState(link.active, partnership)} />{' '}
      <OffSite link={link} websites={partnership.websites} />
      <span className="truncate">{shownAddress({ ...link, websites: partnership.websites })}</span>
    </>
  ),
})

type LinkProps = { link: PortalLink; websites: string[] }

/** The URL to share comes first: partners copy it from here. */
const Address = ({ link, websites }: LinkProps) => (
  <span className="flex min-w-0 items-center gap-1.5">
    <span className="min-w-0">
      <span className="wrap-anywhere block max-w-96 font-medium">{shownAddress({ ...link, websites })}</span>
      <OffSite link={link} websites={websites} />
    </span>
    <CopyAddress link={link} websites={websites} />
  </span>
)

const OffSite = ({ link: { destinationUrl }, websites }: LinkProps) =>
  destinationUrl &&
  !isOnWebsites(destinationUrl, websites) && (
    <span className="block font-normal text-warn-ink text-xs">Not on the program’s website</span>
  )

const CopyAddress = ({ link, websites, className }: LinkProps & { className?: string }) => {
  const address = shareAddress({ ...link, websites })
  return (
    address && (
      <span className={className}>
        <CopyButton text={address} label={`Copy link ${link.aff}`} iconOnly />
      </span>
    )
  )
}

export const PortalLinks = () => {
  const partnership = usePartnership()
  const { websites, mayCreateLinks, mayRequestCodes } = partnership
  const [isCreating, setCreating] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [shared, setShared] = useState<PortalLink | null>(null)
  const noClicks = noClicksText(partnership)
  const create = mayCreateLinks && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> Create link
    </Button>
  )
  const ask = mayRequestCodes && (
    <Button onClick={() => setAsking(true)}>
      <TicketPercent aria-hidden /> Ask for a code
    </Button>
  )
  return (
    <Page
      title="Links"
      description={noClicks ?? 'Share these links. You get credit for the customers they bring.'}
      isList={noClicks === null}
      actions={
        <>
          {ask}
          {create}
        </>
      }
    >
      <LinkList create={create} onShare={setShared} />
      <PortalCodes ask={ask} />
      <RequestCode open={isAsking} onOpenChange={setAsking} />
      <CreatePortalLink open={isCreating} onOpenChange={setCreating} onCreated={setShared} />
      <ShareLink link={shared} websites={websites} onClose={() => setShared(null)} />
    </Page>
  )
}

const LinkList = ({ create, onShare }: { create: ReactNode; onShare: (link: PortalLink) => void }) => {
  const partnership = usePartnership()
  const { programId, programName, websites, mayCreateLinks } = partnership
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<LinksSearch>()
  const links = usePortalLinks(programId, { ...search, pageSize: PAGE_SIZE })
  return (
    <ListCard
      label="Your links"
      noun="links"
      query={links}
      columns={columnsFor(partnership)}
      phone={phoneRowFor(partnership)}
      keyOf={({ id }) => id}
      onPage={setPage}
      sorting={sortingFrom('createdAt')}
      filters={
        <SearchBox
          label="Search your links"
          placeholder="Link code or page"
          value={search.search ?? ''}
          onSearch={(text) => setFilter({ search: text || undefined })}
        />
      }
      actions={(link) => (
        <span className="flex items-center justify-end">
          <CopyAddress link={link} websites={websites} className="sm:hidden" />
          <Button look="quiet" size="small" aria-label={`Share ${link.aff}`} onClick={() => onShare(link)}>
            <QrCode aria-hidden /> <span className="max-sm:hidden">Share</span>
          </Button>
        </span>
      )}
      empty={
        <EmptyState icon={<Link2 />} title="No links yet" action={create}>
          {mayCreateLinks
            ? 'Create a link for each place you share it, and see which works best.'
            : `${programName} creates links for its partners. Ask them for one.`}
        </EmptyState>
      }
      {...(search.search && { emptyFiltered: <NoMatches icon={<Link2 />} noun="links" onClear={clear} /> })}
    />
  )
}
