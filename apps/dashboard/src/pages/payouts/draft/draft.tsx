import { Link, useNavigate } from '@tanstack/react-router'
import type { PayoutDraft } from '@tributary/contract'
import { CalendarCheck2 } from 'lucide-react'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { BackLink } from '~/components/back-link.tsx'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { formatCalendarDate, formatMoney, formatTime } from '~/components/format/format.ts'
import { type Column, DataTable } from '~/components/lists/data-table.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Page } from '~/components/page.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'
import { PartnerLink, partnerProps } from '../../partners/partner-link.tsx'
import { CreatePayout } from '../create/create-payout.tsx'
import { DestinationWarning } from '../destination.tsx'
import { NotReady } from '../ready-to-pay.tsx'
import { formatTotals, isReady } from '../totals.ts'

type Line = PayoutDraft['lines'][number]

const COLUMNS: Column<Line>[] = [
  {
    header: 'Partner',
    cell: (line) => (
      <span className="block min-w-0">
        <PartnerLink {...partnerProps(line)} />
        {line.amountCents > 0 && <DestinationWarning line={line} />}
      </span>
    ),
  },
  {
    header: 'Payable now',
    cell: (line) => (
      <span className="font-medium">
        <Cents cents={line.amountCents} currency={line.currency} />
        {line.amountCents !== line.draftCents && <Change line={line} />}
        {line.amountCents > 0 && !isReady(line) && (
          <span className="block font-normal text-warn-ink text-xs">Not included</span>
        )}
      </span>
    ),
    align: 'right',
  },
]

const ON_PHONE: PhoneRow<Line> = {
  name: (line) => <PartnerLink {...partnerProps(line)} />,
  amount: ({ amountCents, currency }) => amountCents !== 0 && formatMoney(amountCents, currency),
  status: (line) => (
    <span className="truncate">
      {line.amountCents !== line.draftCents ? (
        <Change line={line} />
      ) : (
        line.amountCents > 0 && <DestinationWarning line={line} />
      )}
    </span>
  ),
}

/** Why the amount differs from the one when the draft was prepared. */
const Change = ({ line: { payoutId, amountCents, draftCents, currency } }: { line: Line }) => {
  const { program } = useProgram()
  const params = { programId: String(program.id), payoutId: String(payoutId) }
  const look = 'block font-normal text-warn-ink text-xs'
  if (draftCents === 0) return <span className={look}>New since the draft was prepared.</span>
  return (
    <span className={look}>
      {payoutId === null && amountCents === 0 && 'No longer payable. '}
      {payoutId !== null && (
        <>
          Already in{' '}
          <Link to="/programs/$programId/payouts/$payoutId" params={params} className="underline">
            payout {payoutId}
          </Link>
          .{' '}
        </>
      )}
      Was {formatMoney(draftCents, currency)} when the draft was prepared.
    </span>
  )
}

const Cents = ({ cents, currency }: { cents: number; currency: string }) => (
  <span className={cents === 0 ? 'text-faint' : undefined}>{formatMoney(cents, currency)}</span>
)

export const Draft = () => {
  const { program, may } = useProgram()
  const draft = useCall('get /api/programs/{programId}/payouts/draft', { programId: program.id })
  return (
    <Page
      title="Payout draft"
      back={<BackLink programId={program.id} list="payouts" />}
      description={draft.data && `Prepared on ${formatTime(draft.data.preparedAt)}`}
      actions={draft.data && may('payout:manage') && <DraftActions key={draft.data.id} draft={draft.data} />}
    >
      <Card>
        <QueryView
          query={draft}
          loading={<SkeletonRows />}
          isEmpty={(data) => data === null}
          empty={
            <EmptyState icon={<CalendarCheck2 />} title="No draft to review">
              The payout schedule prepares the next draft. You can also create a payout at any time.
            </EmptyState>
          }
        >
          {(data) => data && <DraftLines draft={data} />}
        </QueryView>
      </Card>
    </Page>
  )
}

const DraftLines = ({ draft: { lines } }: { draft: PayoutDraft }) => {
  const now = lines.filter(({ amountCents }) => amountCents > 0)
  const ready = now.filter(isReady)
  const hasChanged = lines.some(({ amountCents, draftCents }) => amountCents !== draftCents)
  return (
    <>
      <p className="border-line border-b px-5 py-3 text-sm">
        {now.length === 0 && 'Nothing in this draft is payable anymore. Discard it.'}
        {now.length > 0 && ready.length === 0 && 'None of these payments can be sent yet.'}
        {ready.length > 0 && (
          <>
            <span className="font-medium">{formatTotals(ready)}</span> ready to pay. Confirming creates the payments;
            you send the money yourself.
          </>
        )}
        {hasChanged &&
          now.length > 0 &&
          ' Amounts have changed since it was prepared; confirming uses the current ones.'}
        <NotReady due={now} />
      </p>
      <DataTable
        label="Payments in the draft"
        columns={COLUMNS}
        phone={ON_PHONE}
        rows={lines}
        keyOf={({ partnerId, currency }) => `${partnerId} ${currency}`}
      />
    </>
  )
}

const DraftActions = ({ draft }: { draft: PayoutDraft }) => {
  const { program } = useProgram()
  const navigate = useNavigate()
  const discard = useChange(
    'post /api/programs/{programId}/payouts/drafts/{draftId}/discard',
    { programId: program.id, draftId: draft.id },
    {
      onSuccess: () => {
        toast.done('Draft discarded. The balances stay payable.')
        void navigate({ to: '/programs/$programId/payouts', params: { programId: String(program.id) } })
      },
    },
  )
  const [dialog, setDialog] = useState<'confirm' | 'discard' | null>(null)
  const payable = draft.lines.filter(({ amountCents }) => amountCents > 0)
  const close = (open: boolean) => !open && setDialog(null)
  return (
    <>
      <Button onClick={() => setDialog('discard')}>Discard</Button>
      <Button look="primary" disabled={payable.length === 0} onClick={() => setDialog('confirm')}>
        Confirm payout
      </Button>
      <CreatePayout
        open={dialog === 'confirm'}
        onOpenChange={close}
        preview={payable.map((line) => ({ ...line, excludedReason: null }))}
        draftId={draft.id}
      />
      <ConfirmDialog
        open={dialog === 'discard'}
        onOpenChange={close}
        title="Discard this draft?"
        confirm="Discard draft"
        danger
        busy={discard.isPending}
        error={discard.error}
        onConfirm={() => discard.mutate({})}
      >
        Balances stay payable. <NextDraft />
      </ConfirmDialog>
    </>
  )
}

const NextDraft = () => {
  const { program } = useProgram()
  const { data } = useCall('get /api/programs/{programId}/payouts/schedule', { programId: program.id })
  if (!data) return null
  return data.nextOn === null
    ? 'No next draft is scheduled.'
    : `The next draft will be ready on ${formatCalendarDate(data.nextOn)}.`
}
