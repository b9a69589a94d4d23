import { Link2, Plus, QrCode } from 'lucide-react'
import { useState } from 'react'
import { type PortalLink, usePortalLinks } from '~/api/portal.ts'
import { useListSearch } from '~/app/list-search.ts'
import { Amounts } from '~/components/amounts.tsx'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import type { Column } from '~/components/data-table.tsx'
import { formatNumber } from '~/components/format.ts'
import { ListCard } from '~/components/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState } from '~/components/states.tsx'
import { shareAddress } from '../links/share-address.ts'
import { ShareLink } from '../links/share-link.tsx'
import { CreatePortalLink } from './create-link.tsx'
import { usePartnership } from './portal-context.ts'

const PAGE_SIZE = 25

const columnsFor = (currency: string): Column<PortalLink>[] => [
  { header: 'Link', cell: (link) => <Address link={link} /> },
  { header: 'State', cell: ({ active }) => <StateChip state={active ? 'active' : 'disabled'} /> },
  { header: 'Clicks', cell: ({ clicks }) => formatNumber(clicks), align: 'right' },
  { header: 'Leads', cell: ({ leads }) => formatNumber(leads), align: 'right' },
  { header: 'Sales', cell: ({ sales }) => formatNumber(sales), align: 'right' },
  { header: 'Earned', cell: ({ commissions }) => <Amounts of={commissions} currency={currency} />, align: 'right' },
]

export const PortalLinks = () => {
  const { programId, programName, currency, mayCreateLinks } = usePartnership()
  const { search, setPage } = useListSearch()
  const links = usePortalLinks(programId, { ...search, pageSize: PAGE_SIZE })
  const [isCreating, setCreating] = useState(false)
  const [shared, setShared] = useState<PortalLink | null>(null)
  const create = mayCreateLinks && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New link
    </Button>
  )
  return (
    <Page title="Links" description="Share these. Whoever follows one and buys is credited to you." actions={create}>
      <ListCard
        label="Your links"
        noun="links"
        query={links}
        columns={columnsFor(currency)}
        keyOf={({ id }) => id}
        onPage={setPage}
        actions={(link) => (
          <Button look="quiet" size="small" aria-label={`Share ${link.aff}`} onClick={() => setShared(link)}>
            <QrCode aria-hidden /> Share
          </Button>
        )}
        empty={
          <EmptyState icon={<Link2 />} title="No links yet" action={create}>
            {mayCreateLinks
              ? 'Make one for each place where you share it, and see which of them works.'
              : `In this program links are made for you. Ask ${programName} for one.`}
          </EmptyState>
        }
      />
      <CreatePortalLink open={isCreating} onOpenChange={setCreating} onCreated={setShared} />
      <ShareLink link={shared} onClose={() => setShared(null)} />
    </Page>
  )
}

const Address = ({ link: { aff, destinationUrl } }: { link: PortalLink }) => {
  const address = shareAddress(aff, destinationUrl)
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="min-w-0">
        <span className="block truncate font-medium">{aff}</span>
        <span className="block max-w-72 truncate font-normal text-faint text-xs">
          {destinationUrl?.replace(/^https?:\/\//, '') ?? 'any page of the site'}
        </span>
      </span>
      <CopyButton text={address ?? `?aff=${encodeURIComponent(aff)}`} label={`Copy the link ${aff}`} iconOnly />
    </span>
  )
}
