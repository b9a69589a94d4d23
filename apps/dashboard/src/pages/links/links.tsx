import type { ReferralLink } from '@tributary/contract'
import { Link2, Plus } from 'lucide-react'
import { useState } from 'react'
import { useLinks } from '~/api/links.ts'
import { usePartnerNames } from '~/api/partners.ts'
import { useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import type { Column } from '~/components/data-table.tsx'
import { formatNumber } from '~/components/format.ts'
import { ListCard } from '~/components/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState } from '~/components/states.tsx'
import { Ago } from '~/components/time.tsx'
import { CreateLink } from './create-link.tsx'
import { LinkActions } from './link-actions.tsx'
import { shareAddress } from './share-address.ts'
import { ShareLink } from './share-link.tsx'

const PAGE_SIZE = 25

export const Links = () => {
  const { program, may } = useProgram()
  const { search, setPage } = useListSearch()
  const links = useLinks(program.id, { page: search.page, pageSize: PAGE_SIZE })
  const partnerName = usePartnerNames(program.id)
  const [isCreating, setCreating] = useState(false)
  const [shared, setShared] = useState<ReferralLink | null>(null)
  const create = may('partner:manage') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New link
    </Button>
  )
  const columns: Column<ReferralLink>[] = [
    { header: 'Link', cell: (link) => <Address link={link} /> },
    {
      header: 'Partner',
      cell: ({ partnerId }) => partnerName(partnerId) ?? <span className="text-warn-ink">None yet</span>,
    },
    { header: 'State', cell: ({ active }) => <StateChip state={active ? 'active' : 'disabled'} /> },
    { header: 'Clicks', cell: ({ clicks }) => formatNumber(clicks), align: 'right' },
    { header: 'Last click', cell: ({ lastClicked }) => <Ago at={lastClicked} empty="never" />, align: 'right' },
  ]
  return (
    <Page title="Links" description="What partners share. Every link belongs to one partner." actions={create}>
      <ListCard
        label="Referral links"
        noun="links"
        query={links}
        columns={columns}
        keyOf={({ id }) => id}
        onPage={setPage}
        actions={(link) => <LinkActions link={link} onShare={() => setShared(link)} />}
        empty={
          <EmptyState icon={<Link2 />} title="No links yet" action={create}>
            A link carries an <code className="font-mono text-xs">aff</code> value that says which partner sent the
            visitor.
          </EmptyState>
        }
      />
      <CreateLink open={isCreating} onOpenChange={setCreating} onCreated={setShared} />
      <ShareLink link={shared} onClose={() => setShared(null)} />
    </Page>
  )
}

const Address = ({ link: { aff, destinationUrl } }: { link: ReferralLink }) => {
  const address = shareAddress(aff, destinationUrl)
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="min-w-0">
        <span className="block truncate font-medium">{aff}</span>
        <span className="block max-w-72 truncate font-normal text-faint text-xs">
          {destinationUrl?.replace(/^https?:\/\//, '') ?? 'any page of your site'}
        </span>
      </span>
      <CopyButton text={address ?? `?aff=${encodeURIComponent(aff)}`} label={`Copy the link ${aff}`} iconOnly />
    </span>
  )
}
