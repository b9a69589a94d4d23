import { keepPreviousData } from '@tanstack/react-query'
import type { ApiKey } from '@tributary/contract'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { useCreateDialog } from '~/app/create-dialog.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { formatDate, formatTime } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { CreateKey } from './create-key.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

const PAGE_SIZE = 25

type KeysSearch = ListSearch & { state?: string | undefined }

const STATES = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'revoked', label: 'Revoked' },
]

const ON_PHONE: PhoneRow<ApiKey> = {
  name: ({ name }) => name,
  status: (key) => (
    <>
      <KeyState apiKey={key} /> <code className="truncate font-mono">{key.masked}</code>
    </>
  ),
  date: ({ lastUsedAt }) => lastUsedAt && <Ago at={lastUsedAt} />,
}

export const ApiKeys = () => {
  const { program, may } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<KeysSearch>()
  const input = { programId: program.id, query: { ...search, pageSize: PAGE_SIZE } }
  const keys = useCall('get /api/programs/{programId}/api-keys', input, { placeholderData: keepPreviousData })
  const [isCreating, setCreating] = useCreateDialog()
  const [rotating, setRotating] = useState<ApiKey | null>(null)
  const create = may('key:manage') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> Create key
    </Button>
  )
  const columns: Column<ApiKey>[] = [
    { header: 'Name', cell: ({ name }) => <span className="font-medium">{name}</span>, sort: 'name' },
    { header: 'Key', cell: ({ masked }) => <code className="font-mono text-soft text-xs">{masked}</code> },
    { header: 'Status', cell: (key) => <KeyState apiKey={key} /> },
    {
      header: 'Last used',
      cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} empty="Never" />,
      align: 'right',
      sort: 'lastUsedAt',
    },
    {
      header: 'Created',
      cell: ({ createdAt }) => formatDate(createdAt),
      align: 'right',
      hideOnPhone: true,
      sort: 'createdAt',
    },
  ]
  return (
    <Page
      title="API keys"
      description="Your server needs a key to report leads and sales. Keep keys secret: a key can also read the program’s partners, commissions and payouts."
      actions={create}
    >
      <ListCard
        label="API keys"
        noun="keys"
        query={keys}
        columns={columns}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('createdAt')}
        filters={
          <Segmented
            label="Status"
            value={search.state ?? ''}
            options={STATES}
            onChange={(state) => setFilter({ state: state || undefined })}
          />
        }
        actions={(key) => !key.revokedAt && <KeyActions apiKey={key} onRotate={() => setRotating(key)} />}
        empty={
          <EmptyState icon={<KeyRound />} title="No API keys yet" action={create}>
            Create a key so your server can report leads and sales.
          </EmptyState>
        }
        {...(search.state && { emptyFiltered: <NoMatches icon={<KeyRound />} noun="keys" onClear={clear} /> })}
      />
      <CreateKey open={isCreating} onOpenChange={setCreating} />
      <RotateKey apiKey={rotating} onClose={() => setRotating(null)} />
    </Page>
  )
}

const KeyActions = ({ apiKey, onRotate }: { apiKey: ApiKey; onRotate: () => void }) => (
  <span className="flex justify-end">
    <Button look="quiet" size="small" aria-label={`Rotate ${apiKey.name}`} onClick={onRotate}>
      Rotate
    </Button>
    <RevokeKey apiKey={apiKey} />
  </span>
)

/** A rotated key stays active until its grace period ends. */
const KeyState = ({ apiKey: { revokedAt } }: { apiKey: ApiKey }) => {
  if (revokedAt && new Date(revokedAt) > new Date())
    return (
      <span className="flex flex-wrap items-center gap-x-2 max-sm:justify-end">
        <StateChip state="active" />
        <span className="whitespace-nowrap text-faint text-xs">until {formatTime(revokedAt)}</span>
      </span>
    )
  return <StateChip state={revokedAt ? 'revoked' : 'active'} />
}
