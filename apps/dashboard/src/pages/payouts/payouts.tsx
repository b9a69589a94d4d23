import { addressOf, useCall } from '~/api/call.ts'
import { useCreateDialog } from '~/app/create-dialog.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Segmented } from '~/components/controls/segmented.tsx'
import { DownloadLink } from '~/components/lists/download.tsx'
import { Page } from '~/components/page.tsx'
import { TwoFactorNote } from '~/components/two-factor-note.tsx'
import { BalancesList } from './balances-list.tsx'
import { CreatePayout } from './create/create-payout.tsx'
import { DraftNotice } from './draft/draft-notice.tsx'
import { ScheduleButton } from './draft/schedule-dialog.tsx'
import { PayoutsList } from './payouts-list.tsx'
import { ReadyToPay } from './ready-to-pay.tsx'

export type PayoutsSearch = ListSearch & { [name in 'view' | 'state' | 'search']?: string | undefined }

const VIEWS = [
  { value: '', label: 'Balances' },
  { value: 'payouts', label: 'Payouts' },
]

export const Payouts = () => {
  const { program, workspace, may } = useProgram()
  const { search, setFilter } = useListSearch<PayoutsSearch>()
  const programId = program.id
  // Also the balances that a payout would leave out.
  const preview = useCall('get /api/programs/{programId}/payouts/preview', { programId, query: { excluded: true } })
  const balances = preview.data?.data
  const [isCreating, setCreating] = useCreateDialog()
  const schedule = useCall('get /api/programs/{programId}/payouts/schedule', { programId })
  // A waiting draft pays the same balances.
  const mayCreate = may('payout:manage') && !schedule.isPending && !schedule.data?.openDraftId
  const isPayouts = search.view === 'payouts'
  const { sort, state, search: text } = search
  const file = isPayouts
    ? addressOf('get /api/programs/{programId}/payouts', {
        programId,
        query: { sort, state, search: text, format: 'csv' },
      })
    : addressOf('get /api/programs/{programId}/balances', {
        programId,
        query: { sort, search: text, zero: 'false', format: 'csv' },
      })
  return (
    <Page
      title="Payouts"
      description="You send the money yourself, then mark each payment as paid."
      actions={
        <>
          <DownloadLink href={file} />
          {may('payout:manage') && <ScheduleButton />}
        </>
      }
    >
      {may('payout:manage') && (
        <TwoFactorNote required={workspace.requireTwoFactor} what="Payouts in this workspace need" />
      )}
      {balances && <DraftNotice preview={balances} />}
      <ReadyToPay preview={preview} onCreate={mayCreate ? () => setCreating(true) : null} />
      <Segmented
        label="View"
        value={isPayouts ? 'payouts' : ''}
        options={VIEWS}
        // Each view has its own filters and sort order.
        onChange={(view) =>
          setFilter({ view: view || undefined, state: undefined, search: undefined, sort: undefined })
        }
      />
      {isPayouts ? <PayoutsList /> : <BalancesList preview={balances ?? []} />}
      <CreatePayout
        open={isCreating && mayCreate && (balances ?? []).length > 0}
        onOpenChange={setCreating}
        preview={balances ?? []}
      />
    </Page>
  )
}
