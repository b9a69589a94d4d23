import type { Partner } from '@tributary/contract'
import { Plus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { usePartners } from '~/api/partners.ts'
import { useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/button.tsx'
import type { Column } from '~/components/data-table.tsx'
import { formatDate } from '~/components/format.ts'
import { ListCard } from '~/components/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState } from '~/components/states.tsx'
import { CreatePartner } from './create-partner.tsx'
import { PartnerActions } from './partner-actions.tsx'

const PAGE_SIZE = 25

export const Partners = () => {
  const { program, may } = useProgram()
  const { search, setPage } = useListSearch()
  const partners = usePartners(program.id, { page: search.page, pageSize: PAGE_SIZE })
  const [isCreating, setCreating] = useState(false)
  const mayManage = may('partner:manage')
  const create = mayManage && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> Add partner
    </Button>
  )
  const columns: Column<Partner>[] = [
    { header: 'Partner', cell: (partner) => <Name partner={partner} /> },
    { header: 'Code', cell: ({ code }) => <code className="font-mono text-xs">{code}</code> },
    { header: 'Status', cell: ({ status }) => <StateChip state={status} /> },
    { header: 'Added', cell: ({ createdAt }) => formatDate(createdAt), align: 'right' },
  ]
  return (
    <Page title="Partners" description="Who refers people to you, and is paid for it." actions={create}>
      <ListCard
        label="Partners"
        noun="partners"
        query={partners}
        columns={columns}
        keyOf={({ id }) => id}
        onPage={setPage}
        {...(mayManage && { actions: (partner: Partner) => <PartnerActions partner={partner} /> })}
        empty={
          <EmptyState icon={<UsersRound />} title="No partners yet" action={create}>
            Add the first person or company that will share your product. They get links of their own.
          </EmptyState>
        }
      />
      <CreatePartner open={isCreating} onOpenChange={setCreating} />
    </Page>
  )
}

const Name = ({ partner: { name, email } }: { partner: Partner }) => (
  <span className="block min-w-0">
    <span className="block truncate font-medium">{name}</span>
    <span className="block truncate font-normal text-faint text-xs">{email ?? 'no e-mail address'}</span>
  </span>
)
