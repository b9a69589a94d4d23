import type { PartnerDetail } from '@tributary/contract'
import { lazy, Suspense, useState } from 'react'
import { useChange } from '~/api/call.ts'
import { rethrowLoadError } from '~/api/fetch-screen.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Facts } from '~/components/facts/facts.tsx'
import { formatCount, formatDate } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Skeleton } from '~/components/skeleton.tsx'
import { MovePartners } from '~/pages/groups/move-partners.tsx'
import { describeMove } from '~/pages/groups/tier-text.ts'
import { describeReward, minimumText } from '~/pages/settings/rewards/reward-text.ts'

const TermsForm = lazy(() =>
  import('~/pages/settings/rewards/terms-form.tsx')
    .then(({ TermsForm }) => ({ default: TermsForm }))
    .catch(rethrowLoadError),
)

/** The partner's group and reward terms: the group's, or custom ones. */
export const PartnerTerms = ({ partner }: { partner: PartnerDetail }) => {
  const { may } = useProgram()
  const { reward } = partner
  const [isEditing, setEditing] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  return (
    <Card>
      <CardHeader
        title="Reward terms"
        description={describeReward(reward)}
        actions={<Badge tone={reward.own ? 'accent' : 'neutral'}>{reward.own ? 'Custom terms' : 'Group terms'}</Badge>}
      />
      <div className="flex flex-col gap-4 p-5">
        <Facts
          facts={[
            { label: 'Group', value: <GroupFact partner={partner} /> },
            { label: 'Hold period', value: formatCount(reward.holdDays, 'day') },
            { label: 'Minimum payout', value: minimumText(reward) },
            { label: 'Terms last changed', value: reward.validFrom ? formatDate(reward.validFrom) : '–' },
          ]}
        />
        {may('payout:manage') && (
          <div className="flex flex-wrap gap-2">
            <MovePartners ids={[partner.id]} partners={[partner]} />
            <Button onClick={() => setEditing(true)}>{reward.own ? 'Edit custom terms' : 'Set custom terms'}</Button>
            {reward.own && (
              <Button look="quiet" onClick={() => setRemoving(true)}>
                Remove custom terms
              </Button>
            )}
          </div>
        )}
      </div>
      <Drawer open={isEditing} onOpenChange={setEditing} title={`Reward terms for ${partner.name}`}>
        <Suspense fallback={<Skeleton className="h-96" />}>
          <TermsForm
            owner={{ partnerId: partner.id }}
            reward={reward}
            save="Save custom terms"
            saved={`Custom terms saved for ${partner.name}`}
            onSaved={() => setEditing(false)}
          />
        </Suspense>
      </Drawer>
      <RemoveTerms partner={partner} open={isRemoving} onClose={() => setRemoving(false)} />
    </Card>
  )
}

const GroupFact = ({ partner: { groupName, group } }: { partner: PartnerDetail }) => (
  <span className="block">
    {groupName}
    {group.since && <span className="text-faint"> since {formatDate(group.since)}</span>}
    {group.tier && <span className="block text-faint text-xs">{describeMove(group.tier)}</span>}
  </span>
)

const RemoveTerms = ({ partner, open, onClose }: { partner: PartnerDetail; open: boolean; onClose: () => void }) => {
  const { program } = useProgram()
  const known = { programId: program.id, partnerId: partner.id }
  const remove = useChange('delete /api/programs/{programId}/partners/{partnerId}/reward', known)
  const confirm = () =>
    remove.mutate(
      {},
      {
        onSuccess: () => {
          toast.done(`Custom terms removed. ${partner.name} now has the terms of ${partner.groupName}.`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Remove custom terms for ${partner.name}?`}
      confirm="Remove custom terms"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
    >
      New leads and sales will use the terms of the group {partner.groupName} instead of the custom terms (
      {describeReward(partner.reward)}). Past commissions don’t change.
    </ConfirmDialog>
  )
}
